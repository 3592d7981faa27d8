import { PIXEL_TYPES } from '../../contract/manifest.ts';
import type { Collection, Sample } from '../operationSample.ts';
import {
	column,
	deletion,
	fresh,
	idIn,
	invalid,
	isOf,
	listed,
	listing,
	maker,
	named,
	serial,
	unknown,
	updated,
	withRecord,
} from '../operationSample.ts';
import { A_NUMBER, DATETIME } from '../support.ts';

const PIXELS: Collection = {
	what: 'pixel',
	locator: 'pixelId',
	path: '/api/pixel',
	list: '/api/pixels',
	make: maker('/api/pixel', () => ({ type: 'forum', name: named('Pixel'), tag: 'AW-1' })),
	record: ({ id, type, name, tag }) => ({ id, type, name, tag, date: DATETIME }),
};

export const pixel: Record<string, Sample> = {
	create: {
		kind: 'write',
		request: 'POST /api/pixel/add',
		parameters: { pixelType: column('type'), name: column('name'), tag: column('tag') },
		rows: fresh(() => ({ type: 'adspixel', name: named('Pixel'), tag: `AW-${serial()}` })),
		body: (row) => row,
		output: { id: A_NUMBER },
		written: listed(PIXELS.list, (record, row) => record.name === row.name),
		...invalid(`type must be one of: ${PIXEL_TYPES.join(', ')}.`, {
			row: { type: 'carrier', name: 'x', tag: 'x' },
			told: `Pixel Type (type) must be one of: ${PIXEL_TYPES.join(', ')}.`,
			advice: 'Check Pixel Type',
		}),
		examples: [
			{
				title: 'sends each of the 13 types',
				rows: PIXEL_TYPES.map((type) => ({ type, name: type, tag: 'T' })),
			},
			{
				title: 'takes a tag that a sheet gave as a number',
				rows: [{ type: 'forum', name: 'Numbers', tag: 12345 }],
				body: { type: 'forum', name: 'Numbers', tag: '12345' },
			},
		],
	},
	delete: deletion(PIXELS),
	getAll: listing(PIXELS),
	update: {
		kind: 'write',
		request: 'PUT /api/pixel/:id/update',
		parameters: { pixelId: idIn('id'), tag: column('tag'), updateFields: {} },
		rows: withRecord(PIXELS.make, () => ({ tag: `AW-${serial()}` })),
		body: ({ tag }) => ({ tag }),
		output: updated('pixel'),
		written: listed(PIXELS.list, (record, row) => isOf(record, row) && record.tag === row.tag),
		...unknown('pixel', { tag: 'x' }),
		examples: [
			{
				title: 'sends a name that was added',
				parameters: { updateFields: { name: 'Renamed' } },
				body: ({ tag }) => ({ tag, name: 'Renamed' }),
			},
		],
	},
};
