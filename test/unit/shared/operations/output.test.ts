import type { IDataObject } from 'n8n-workflow';

import { LINK_OUTPUT } from '../../../../dist/nodes/LinkManagement/resources/link/writtenLink.js';
import { validatePurchase } from '../../../../dist/nodes/Store/resources/purchase.js';
import { mergeIntoRow } from '../../../../dist/nodes/shared/operations/output.js';

type Case = [
	what: string,
	row: IDataObject,
	result: IDataObject,
	output: IDataObject,
	form?: Parameters<typeof mergeIntoRow>[2],
];

const ERRORS = { error: 'x', input_error: 'mine' };
const OF_LINK = { shorturl: 's', id: 1, outcome: 'created' };
const VERDICT = { valid: false, reason: 'Invalid' };

test.each<Case>([
	['stands behind its columns', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
	['has its error before them', { a: 1 }, { b: 2, error: 'x' }, { error: 'x', a: 1, b: 2 }],
	['fills a blank column', { id: ' ' }, { id: 7 }, { id: 7 }],
	['keeps another value', { id: 5, a: 1 }, { id: 7 }, { id: 7, a: 1, input_id: 5 }],
	['but no equal one', { id: '7', a: { b: 1 } }, { id: 7, a: { b: 1 } }, { id: 7, a: { b: 1 } }],
	['of a row that came back', { id: 6, input_id: 5 }, { id: 7 }, { id: 7, input_id: 5 }],
	['null is a value', { a: 1 }, { a: null }, { a: null, input_a: 1 }],
	['undefined is none', { a: 1 }, { a: undefined, b: undefined }, { a: 1 }],
	['an error of the row moves', { error: 'mine' }, { b: 2 }, { input_error: 'mine', b: 2 }],
	['a blank one goes', { error: '' }, { b: 2 }, { b: 2 }],
	['both errors are kept', { error: 'mine' }, { error: 'x' }, ERRORS],
	['a byte order mark goes', { '\ufeffa': 1 }, {}, { a: 1 }],
	[
		'of a link begins with outcome and short URL',
		{ url: 'u', shorturl: 's' },
		OF_LINK,
		{ outcome: 'created', shorturl: 's', url: 'u', id: 1 },
		LINK_OUTPUT,
	],
	[
		'of a code begins with the verdict of the store',
		{ code: 'a', valid: 'yes', price: 9 },
		{ ...VERDICT, price: null },
		{ ...VERDICT, code: 'a', price: null, input_valid: 'yes', input_price: 9 },
		validatePurchase.output,
	],
])('a result of a row %s', (_what, ...[row, result, expected, form]) => {
	// As text, because the order counts.
	expect(JSON.stringify(mergeIntoRow(row, result, form))).toBe(JSON.stringify(expected));
});

test('what is done to an item later changes no row', () => {
	const row = { a: { b: 1 } };
	expect(mergeIntoRow(row, {}).a).not.toBe(row.a);
});
