import { randomBytes } from 'node:crypto';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { bodyOf, datetime, type Fields, oneOf, TEXT } from '../fields.ts';
import type { Tables } from '../records.ts';
import { type LinkRoutes, listRoute, recordRoutes, sourceOf } from './routes.ts';
import { statisticsOf } from './visits.ts';

const QR_TYPES = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'];

/** The sandbox draws every code in black on white without a logo. */
const FIELDS = {
	data: { type: ['string', 'object'] },
	background: TEXT,
	foreground: TEXT,
	logo: TEXT,
};

export function qrCodeRoutes({ qrCodes }: Tables, dialect: Dialect): LinkRoutes {
	const isInstalled = dialect.shapes === 'installed';
	const fields = isInstalled ? { ...FIELDS, name: TEXT } : FIELDS;
	const source = sourceOf(qrCodes, (code, { baseUrl }) => shown(code, baseUrl));
	return {
		'GET /api/qr': listRoute('qrs', source, dialect),
		'GET /api/qr/:id': {
			answer({ accountId, params, baseUrl }) {
				const code = qrCodes.get(accountId, params.id);
				const { date, ...others } = shown(code, baseUrl);
				const data = statisticsOf(code, dialect);
				return isInstalled
					? { details: others, data: { ...data, date } }
					: { details: { ...others, date }, data };
			},
		},
		...recordRoutes('/api/qr', qrCodes, {
			create: bodyOf({ type: oneOf(QR_TYPES), ...fields }, 'type', 'data'),
			made({ body, now }) {
				// Bytes that a QR code can hold
				if (Buffer.byteLength(JSON.stringify(body.data)) > 2331) {
					throw new Failure(422, 'data is too long for a QR code.');
				}
				return newQrCode(body, now);
			},
			created: ({ id, alias }, { baseUrl }) => ({ id, link: qrCodeUrl(alias, baseUrl) }),
			update: bodyOf(fields, 'data'),
		}),
	};
}

/** Most services read no name, so the type gives it: `Text QR code`. @param now epoch milliseconds */
export function newQrCode({ type, name, ...members }: Fields, now: number): Fields {
	const alias = randomBytes(4).toString('hex');
	const word = String(type);
	const usual = `${word.charAt(0).toUpperCase()}${word.slice(1)} QR code`;
	return { alias, type, clicks: 0, name: name ?? usual, date: datetime(now), ...members };
}

function shown({ id, alias, clicks, name, date }: Fields, baseUrl: string): Fields {
	return { id, link: qrCodeUrl(alias, baseUrl), scans: clicks, name, date };
}

const qrCodeUrl = (alias: unknown, baseUrl: string): string => `${baseUrl}/qr/${String(alias)}`;
