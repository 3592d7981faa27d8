import type { IDataObject } from 'n8n-workflow';

import { qrSvg } from '../../../sandbox/link/qrCodes.ts';
import type { Collection, Fields, Sample } from '../operationSample.ts';
import {
	column,
	deletion,
	idColumn,
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

/** A code that somebody has scanned twice. */
async function scannedCode(stage: Stage): Promise<IDataObject> {
	const { id, link } = await stage.api('POST /api/qr/add', { type: 'text', data: named('Table') });
	await visit(textOf(link));
	return { id: Number(id) };
}

/** A code's text is in its picture only. */
const hasPicture = async ({ link }: Fields, { text }: IDataObject): Promise<boolean> => {
	const drawn = await fetch(`${String(link)}?format=svg`);
	return (await drawn.text()) === (await qrSvg(text));
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
			advice: 'Check Content',
		}),
	},
	delete: deletion(CODES),
	get: {
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: idColumn('id') },
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
				rows: async (stage) => [await CODES.make(stage)],
				output: (row, stage) => ({ ...CODES.record(row, stage), statistics: NO_VISITS }),
			},
		],
	},
	getAll: listing(CODES),
	getImage: {
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: idColumn('id') },
		rows: withRecord(CODES.make),
		output: (row, stage) => CODES.record(row, stage),
		...unknown('QR code'),
	},
	getStatistics: {
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: idColumn('id') },
		rows: withRecord(scannedCode),
		output: (row, stage) => {
			const { id, name } = CODES.record(row, stage);
			return figuresOf({ id, name }, 'as-documented');
		},
		...unknown('QR code'),
	},
	update: {
		kind: 'write',
		request: 'PUT /api/qr/:id/update',
		parameters: {
			qrCodeId: idColumn('id'),
			qrType: 'text',
			text: column('text'),
			updateFields: {},
		},
		rows: withRecord(CODES.make, () => ({ text: named('Table') })),
		body: ({ text }) => ({ data: text }),
		output: updated('QR code'),
		written: drawn(isOf),
		...unknown('QR code', { text: 'Table 7' }),
	},
};
