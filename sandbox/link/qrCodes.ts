import { randomBytes } from 'node:crypto';
import { datetime } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { bodyOf, type Fields, oneOf, TEXT } from '../fields.ts';
import type { Tables } from '../records.ts';
import { deletionRoute, type LinkRoutes, listRoute, updateRoute } from './routes.ts';
import { statisticsOf } from './visits.ts';

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

export const qrCodeRoutes = ({ qrCodes }: Tables, dialect: Dialect): LinkRoutes => ({
	'GET /api/qr': listRoute('qrs', qrCodes, (code, { baseUrl }) => shown(code, baseUrl)),
	'GET /api/qr/:id': {
		answer({ accountId, params, baseUrl }) {
			const code = qrCodes.get(accountId, params.id);
			return { details: shown(code, baseUrl), data: statisticsOf(code, dialect) };
		},
	},
	'POST /api/qr/add': {
		body: bodyOf({ type: oneOf(QR_TYPES), ...FIELDS }, 'type', 'data'),
		answer({ accountId, body, now, baseUrl }) {
			if (Buffer.byteLength(JSON.stringify(body.data)) > LONGEST_DATA) {
				throw new Failure(422, 'data is too long for a QR code.');
			}
			const code = newQrCode(body, now);
			return { id: qrCodes.add(accountId, code), link: qrCodeUrl(code.alias, baseUrl) };
		},
	},
	'PUT /api/qr/:id/update': updateRoute(qrCodes, bodyOf(FIELDS, 'data')),
	'DELETE /api/qr/:id/delete': deletionRoute(qrCodes),
});

/** The body of a create has no name, so the type gives it: `Text QR code`. @param now epoch milliseconds */
export function newQrCode({ type, data }: Fields, now: number): Fields {
	const alias = randomBytes(4).toString('hex');
	const word = String(type);
	const name = `${word.charAt(0).toUpperCase()}${word.slice(1)} QR code`;
	return { alias, data, clicks: 0, name, date: datetime(now) };
}

function shown({ id, alias, clicks, name, date }: Fields, baseUrl: string): Fields {
	return { id, link: qrCodeUrl(alias, baseUrl), scans: clicks, name, date };
}

export const qrCodeUrl = (alias: unknown, baseUrl: string): string =>
	`${baseUrl}/qr/${String(alias)}`;
