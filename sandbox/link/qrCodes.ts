import { randomBytes } from 'node:crypto';
import QRCode from 'qrcode';
import { datetime } from '../clock.ts';
import { Failure } from '../failure.ts';
import { bodyOf, type Fields, isRecord, oneOf, textOf } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';
import { statisticsOf } from './visits.ts';

/** The types, and what a code of that type is called: the body has no name. */
const NAMES = {
	text: 'Text QR code',
	vcard: 'Contact QR code',
	link: 'Link QR code',
	email: 'Email QR code',
	phone: 'Phone QR code',
	sms: 'Text message QR code',
	wifi: 'Wi-Fi QR code',
};
export const QR_TYPES = Object.keys(NAMES);
const nameOf = (type: string): string =>
	Object.entries(NAMES).find(([name]) => name === type)?.[1] ?? '';

/** What a QR code can hold, in bytes. */
const LONGEST_DATA = 2331;

/** The sandbox draws every code in black on white without a logo, but refuses what the document does not allow. */
const COLOUR = textOf('a colour written rgb(r,g,b), each from 0 to 255');
const DESIGN = { background: COLOUR, foreground: COLOUR, logo: textOf('a jpg or png image') };
const DATA = { type: ['string', 'object'] };

export function qrCodeRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const codes = new Records(database, 'qr_codes', 'QR code');
	const shown = ({ id, code, scans, name, date }: Fields): Fields => {
		const link = qrCodeUrl(String(code), baseUrl());
		return { id, link, scans, name, date };
	};

	return [
		listRoute(database, codes, '/api/qr', 'qrs', shown),
		{
			method: 'GET',
			path: '/api/qr/:id',
			answer(call) {
				const code = codes.get(call.accountId, idIn(call, 'id', 'QR code'));
				return { details: shown(code), data: statisticsOf(code, dialect) };
			},
		},
		{
			method: 'POST',
			path: '/api/qr/add',
			body: bodyOf({ type: oneOf(QR_TYPES), data: DATA, ...DESIGN }, 'type', 'data'),
			answer({ accountId, body, now }) {
				const type = String(body.type);
				const code = randomBytes(4).toString('hex');
				const data = dataOf(type, body);
				const record = { code, type, data, scans: 0, name: nameOf(type), date: datetime(now) };
				return { id: codes.add(accountId, record), link: qrCodeUrl(code, baseUrl()) };
			},
		},
		{
			method: 'PUT',
			path: '/api/qr/:id/update',
			body: bodyOf({ data: DATA, ...DESIGN }, 'data'),
			answer(call) {
				const code = codes.get(call.accountId, idIn(call, 'id', 'QR code'));
				codes.change(code, { data: dataOf(String(code.type), call.body) });
				return { message: 'The QR code has been updated.' };
			},
		},
		deletionRoute(codes, '/api/qr/:id/delete'),
	];
}

export const qrCodeUrl = (code: string, baseUrl: string): string => `${baseUrl}/qr/${code}`;

/** Pictures of black squares; of an object it shows the JSON. */
export const qrPng = (data: unknown): Promise<Buffer> =>
	QRCode.toBuffer(shownIn(data), { rendererOpts: { filterType: 0 } });
export const qrSvg = (data: unknown): Promise<string> =>
	QRCode.toString(shownIn(data), { type: 'svg' });

const shownIn = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));

/** A text, or an object with members fitting the type. */
function dataOf(type: string, { data }: Fields): unknown {
	const shown = shownIn(data).trim();
	if (shown === '' || shown === '{}') throw new Failure(422, 'data is required.');
	if (Buffer.byteLength(shown) > LONGEST_DATA) {
		throw new Failure(422, 'data is too long for a QR code.');
	}
	const link = isRecord(data) ? data.link : data;
	if (type === 'link' && !/^https?:\/\/./.test(String(link))) {
		throw new Failure(422, 'data must be an http or https URL.');
	}
	return data;
}
