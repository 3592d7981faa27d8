import { randomBytes } from 'node:crypto';
import { datetime } from '../clock.ts';
import { Failure } from '../failure.ts';
import { bodyOf, type Fields, oneOf, TEXT } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute, updateRoute } from './lists.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';
import { statisticsOf, topOf } from './visits.ts';

const QR_TYPES = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'];

/** What a QR code can hold, in bytes. */
const LONGEST_DATA = 2331;

/** The sandbox draws every code in black on white without a logo. */
const FIELDS = {
	data: { type: ['string', 'object'] },
	background: TEXT,
	foreground: TEXT,
	logo: TEXT,
};

export function qrCodeRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const codes = new Records(database, 'qr_codes', 'QR code');
	const shown = ({ id, alias, scans, name, date }: Fields): Fields => {
		const link = qrCodeUrl(alias, baseUrl());
		return { id, link, scans, name, date };
	};

	return [
		listRoute(database, codes, '/api/qr', 'qrs', shown),
		{
			method: 'GET',
			path: '/api/qr/:id',
			answer(call) {
				const code = codes.get(call.accountId, idIn(call, 'id', 'QR code'));
				return { details: shown(code), data: statisticsOf(code, topOf(dialect)) };
			},
		},
		{
			method: 'POST',
			path: '/api/qr/add',
			body: bodyOf({ type: oneOf(QR_TYPES), ...FIELDS }, 'type', 'data'),
			answer({ accountId, body, now }) {
				if (Buffer.byteLength(JSON.stringify(body.data)) > LONGEST_DATA) {
					throw new Failure(422, 'data is too long for a QR code.');
				}
				const code = newQrCode(body, now);
				return { id: codes.add(accountId, code), link: qrCodeUrl(code.alias, baseUrl()) };
			},
		},
		updateRoute(codes, '/api/qr/:id/update', bodyOf(FIELDS, 'data')),
		deletionRoute(codes, '/api/qr/:id/delete'),
	];
}

/** The body of a create has no name, so the type gives it: `Text QR code`. @param now epoch milliseconds */
export function newQrCode({ type, data }: Fields, now: number): Fields {
	const alias = randomBytes(4).toString('hex');
	const word = String(type);
	const name = `${word.charAt(0).toUpperCase()}${word.slice(1)} QR code`;
	return { alias, data, scans: 0, name, date: datetime(now) };
}

export const qrCodeUrl = (alias: unknown, baseUrl: string): string =>
	`${baseUrl}/qr/${String(alias)}`;
