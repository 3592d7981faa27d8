import { randomBytes } from 'node:crypto';
import QRCode from 'qrcode';
import { datetime } from '../clock.ts';
import { Failure } from '../failure.ts';
import { type Fields, isRecord, nonEmpty, readText, readWord } from '../input.ts';
import { Records } from './records.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';
import { statisticsReader } from './statistics.ts';

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
const isType = (name: string): name is keyof typeof NAMES => Object.hasOwn(NAMES, name);
export const QR_TYPES = Object.keys(NAMES).filter(isType);

/** What a QR code can hold, in bytes. */
const LONGEST_DATA = 2331;

export function qrCodeRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const codes = new Records(database, 'qr_codes', 'QR code');
	const statistics = statisticsReader(database, dialect);
	const shown = ({ id, code, scans, name, date }: Fields): Fields => {
		const link = qrCodeUrl(String(code), baseUrl());
		return { id, link, scans, name, date };
	};

	return [
		codes.list('/api/qr', 'qrs', shown),
		{
			method: 'GET',
			path: '/api/qr/:id',
			answer(call) {
				const id = idIn(call, 'id', 'QR code');
				return { details: shown(codes.get(call.accountId, id)), data: statistics.ofQrCode(id) };
			},
		},
		{
			method: 'POST',
			path: '/api/qr/add',
			answer({ accountId, body, now }) {
				const type = readWord(body, 'type', QR_TYPES);
				checkDesign(body);
				const code = randomBytes(4).toString('hex');
				const data = readData(type, body);
				const record = { code, type, data, scans: 0, name: NAMES[type], date: datetime(now) };
				const id = codes.add(accountId, record);
				return { id, link: qrCodeUrl(code, baseUrl()) };
			},
		},
		{
			method: 'PUT',
			path: '/api/qr/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'QR code');
				const { type } = codes.get(call.accountId, id);
				checkDesign(call.body);
				codes.change(call.accountId, id, { data: readData(String(type), call.body) });
				return { message: 'The QR code has been updated.' };
			},
		},
		codes.deletion('/api/qr/:id/delete'),
	];
}

export const qrCodeUrl = (code: string, baseUrl: string): string => `${baseUrl}/qr/${code}`;

/** Pictures of black squares; of an object it shows the JSON. */
export const qrPng = (data: unknown): Promise<Buffer> =>
	QRCode.toBuffer(textIn(data), { rendererOpts: { filterType: 0 } });
export const qrSvg = (data: unknown): Promise<string> =>
	QRCode.toString(textIn(data), { type: 'svg' });

const textIn = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));

/** A text, or an object with members fitting the type. */
function readData(type: string, body: Fields): unknown {
	const value = Object.hasOwn(body, 'data') ? body.data : undefined;
	const data = isRecord(value) ? value : readText(body, 'data');
	if (!data || (isRecord(data) ? Object.keys(data).length === 0 : data.trim() === '')) {
		throw new Failure(422, 'data is required: a text, or an object with members fitting the type.');
	}
	if (Buffer.byteLength(textIn(data)) > LONGEST_DATA) {
		throw new Failure(422, 'data is too long for a QR code.');
	}
	const link = isRecord(data) ? readText(data, 'link') : data;
	if (type === 'link' && !/^https?:\/\/./.test(link ?? '')) {
		throw new Failure(422, 'data must be an http or https URL.');
	}
	return data;
}

/** The sandbox draws every code in black on white without a logo, but refuses what the document does not allow. */
function checkDesign(body: Fields): void {
	for (const name of ['background', 'foreground']) {
		const colour = nonEmpty(readText(body, name)?.trim());
		const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(colour ?? '');
		if (colour && !parts?.slice(1).every((part) => Number(part) <= 255)) {
			throw new Failure(422, `${name} must be a colour written rgb(r,g,b), each from 0 to 255.`);
		}
	}
	const logo = readText(body, 'logo')?.trim();
	if (logo && !/\.(png|jpe?g)$/i.test(logo)) {
		throw new Failure(422, 'logo must be the path of a png or jpg image.');
	}
}
