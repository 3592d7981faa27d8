import { randomBytes } from 'node:crypto';
import { datetime } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { Failure, Undocumented } from '../failure.ts';
import { page } from '../faults.ts';
import { bodyOf, type Fields, isRecord, oneOf, TEXT, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import { type LinkRoutes, listRoute, recordRoutes } from './routes.ts';
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

/** Members of a contact, where data is checked. */
const CONTACT = 'fname lname org phone cell fax email site street city state zip country'.split(
	' ',
);
const PHONES = ['phone', 'cell', 'fax'];

export function qrCodeRoutes({ qrCodes }: Tables, dialect: Dialect): LinkRoutes {
	const fields = dialect.qrNames === 'yes' ? { ...FIELDS, name: TEXT } : FIELDS;
	const isInstalled = dialect.shapes === 'installed';
	const checked = (type: unknown, data: unknown): unknown =>
		isInstalled ? checkedData(type, data) : data;

	return {
		'GET /api/qr': listRoute('qrs', qrCodes, (code, { baseUrl }) => shown(code, baseUrl)),
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
		...recordRoutes({
			path: '/api/qr',
			records: qrCodes,
			create: bodyOf({ type: oneOf(QR_TYPES), ...fields }, 'type', 'data'),
			made({ body, now }) {
				if (Buffer.byteLength(JSON.stringify(body.data)) > LONGEST_DATA) {
					throw new Failure(422, 'data is too long for a QR code.');
				}
				return newQrCode({ ...body, data: checked(body.type, body.data) }, now);
			},
			created: ({ id, alias }, { baseUrl }) => ({ id, link: qrCodeUrl(alias, baseUrl) }),
			update: bodyOf(fields, 'data'),
			read({ body }, present) {
				const getsColors = body.background !== undefined && present.background === undefined;
				if (getsColors && dialect.recordQuirks === 'some') throw new Undocumented(page(500));
				return { ...body, data: checked(present.type, body.data) };
			},
		}),
	};
}

/** The data without what a contact does not have. @throws for a phone with other signs than digits and a leading `+` */
function checkedData(type: unknown, data: unknown): unknown {
	const members = isRecord(data) ? data : { phone: data };
	const phones = PHONES.map((name) => textIn(members, name) ?? '');
	const hasPhones = ['phone', 'sms', 'vcard'].includes(String(type));
	if (hasPhones && !phones.every((phone) => /^(?:\+?\d+)?$/.test(phone))) {
		throw new Undocumented(page(500));
	}
	if (type !== 'vcard' || !isRecord(data)) return data;
	return Object.fromEntries(Object.entries(data).filter(([name]) => CONTACT.includes(name)));
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

export const qrCodeUrl = (alias: unknown, baseUrl: string): string =>
	`${baseUrl}/qr/${String(alias)}`;
