import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { qrSvg } from '../../../sandbox/link/qrImage.ts';
import type { Collection, Example, Fields, Sample } from '../operationSample.ts';
import {
	column,
	deletion,
	idIn,
	idOf,
	invalid,
	isOf,
	listing,
	maker,
	named,
	recordsOf,
	several,
	unknown,
	updated,
	withRecord,
} from '../operationSample.ts';
import type { Stage } from '../support.ts';
import { A_NUMBER, DATETIME, like, textOf } from '../support.ts';
import { figuresOf, NO_VISITS, visit, visitsOf } from '../visits.ts';

const ADDRESS = like(/^http:\/\/127\.0\.0\.1:\d+\/qr\/\w+$/);

const CODES: Collection = {
	what: 'QR code',
	locator: 'qrCodeId',
	path: '/api/qr',
	list: '/api/qr',
	make: maker('/api/qr', () => ({ type: 'text', data: named('Table') })),
	record: ({ id }) => ({ id, link: ADDRESS, scans: 0, name: 'Text QR code', date: DATETIME }),
};
export const newQrCode = CODES.make;

/** A code that somebody has scanned twice. */
async function scannedCode(stage: Stage): Promise<IDataObject> {
	const { id, link } = await stage.api('POST /api/qr/add', { type: 'text', data: named('Table') });
	await visit(textOf(link));
	return { id: Number(id) };
}

/** A code's text is in its picture only. */
const hasPicture = async ({ link }: Fields, { text }: IDataObject): Promise<boolean> => {
	const drawn = await fetch(`${String(link)}?format=svg`);
	const black = { foreground: 'rgb(0,0,0)', background: 'rgb(255,255,255)' };
	return (await drawn.text()) === (await qrSvg(textOf(text), black));
};

/** How many of the rows' texts are in the pictures of their codes. */
const drawn =
	(isOfRow: (record: Fields, row: IDataObject) => boolean) =>
	async (stage: Stage, rows: IDataObject[]): Promise<number> => {
		const records = await recordsOf(stage, CODES.list);
		const pairs = rows.flatMap((row) =>
			records.filter((record) => isOfRow(record, row)).map((record) => [record, row] as const),
		);
		const matches = await Promise.all(pairs.map(async (pair) => await hasPicture(...pair)));
		return matches.filter(Boolean).length;
	};

/** Each type with the fields of its form, and the data that is sent for them. */
const CONTENTS: Array<[type: string, fields: INodeParameters, data: unknown]> = [
	['link', { url: 'https://example.com/a' }, 'https://example.com/a'],
	['phone', { phone: '+49 30 901820' }, '+49 30 901820'],
	[
		'email',
		{ email: 'a@example.com', subject: 'Order', body: '' },
		{ email: 'a@example.com', subject: 'Order', body: '' },
	],
	['sms', { phone: '+49 30 901820', message: 'Stop' }, { phone: '+49 30 901820', message: 'Stop' }],
	[
		'wifi',
		{ ssid: 'Guests', encryption: 'WPA', wifiPassword: 'a long sentence' },
		{ ssid: 'Guests', encryption: 'WPA', pass: 'a long sentence' },
	],
	[
		'vcard',
		{ vcard: { fname: 'Ada', lname: 'Lovelace', phone: '123', company: 'Example' } },
		{ fname: 'Ada', lname: 'Lovelace', phone: '123', company: 'Example' },
	],
	['sms', { dataMode: 'json', dataJson: '"as it is"' }, 'as it is'],
	['sms', { dataMode: 'json', dataJson: '{ "phone": "1" }' }, { phone: '1' }],
];

const contents = (bodyOf: (type: string, data: unknown) => Fields): Example[] =>
	CONTENTS.map(([type, fields, data]) => ({
		title: `sends ${JSON.stringify(data)} for the type ${type}`,
		parameters: { qrType: type, dataMode: 'fields', ...fields },
		rows: async (stage) => [await newQrCode(stage, { type, data })],
		body: bodyOf(type, data),
	}));

export const qrCode: Record<string, Sample> = {
	create: {
		kind: 'write',
		request: 'POST /api/qr/add',
		parameters: { qrType: 'text', text: column('text'), additionalFields: {} },
		async rows(stage, count) {
			const after = Math.max(0, ...(await recordsOf(stage, CODES.list)).map(idOf));
			return await several(count, () => ({ after, text: named('Table') }));
		},
		body: ({ text }) => ({ type: 'text', data: text }),
		output: { id: A_NUMBER, link: ADDRESS },
		written: drawn((record, { after }) => idOf(record) > Number(after)),
		...invalid('data is too long for a QR code.', {
			row: { text: 'x'.repeat(5000) },
			told: 'Content (data) is too long for a QR code.',
			advice: 'Enter less',
		}),
		examples: [
			{
				title: 'sends the looks that were added, its colours as the API writes them',
				parameters: {
					additionalFields: {
						foreground: column('front'),
						background: '#fff',
						logo: 'https://example.com/logo.png',
					},
				},
				rows: [
					{ text: 'Table 7', front: '#ff9900', sent: 'rgb(255,153,0)' },
					{ text: 'Table 8', front: 'rgb(1, 2, 3)', sent: 'rgb(1,2,3)' },
				],
				body: ({ text, sent }) => ({
					type: 'text',
					data: text,
					foreground: sent,
					background: 'rgb(255,255,255)',
					logo: 'https://example.com/logo.png',
				}),
			},
			...contents((type, data) => ({ type, data })),
		],
	},
	delete: deletion(CODES),
	get: {
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: idIn('id') },
		rows: withRecord(scannedCode),
		output: ({ id }) => ({
			id,
			link: ADDRESS,
			scans: 2,
			name: 'Text QR code',
			date: DATETIME,
			statistics: visitsOf('as-documented'),
		}),
		...unknown('QR code'),
		examples: [
			{
				title: 'gives empty statistics of a code that nobody scanned',
				rows: async (stage) => [await newQrCode(stage)],
				output: (row, stage) => ({ ...CODES.record(row, stage), statistics: NO_VISITS }),
			},
		],
	},
	getAll: listing(CODES),
	getImage: {
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: idIn('id') },
		rows: withRecord(CODES.make),
		output: (row, stage) => CODES.record(row, stage),
		...unknown('QR code'),
	},
	getStatistics: {
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: idIn('id') },
		rows: withRecord(scannedCode),
		output: ({ id }) => figuresOf(id, 'as-documented'),
		...unknown('QR code'),
	},
	update: {
		kind: 'write',
		request: 'PUT /api/qr/:id/update',
		parameters: { qrCodeId: idIn('id'), qrType: 'text', text: column('text'), updateFields: {} },
		rows: withRecord(CODES.make, () => ({ text: named('Table') })),
		body: ({ text }) => ({ data: text }),
		output: updated('QR code'),
		written: drawn(isOf),
		...unknown('QR code', { text: 'Table 7' }),
		examples: [
			{
				title: 'sends the looks that were added, and what was added empty empty',
				parameters: { updateFields: { background: '#000000', foreground: '', logo: '' } },
				body: ({ text }) => ({ data: text, background: 'rgb(0,0,0)', foreground: '', logo: '' }),
			},
			...contents((_type, data) => ({ data })),
		],
	},
};
