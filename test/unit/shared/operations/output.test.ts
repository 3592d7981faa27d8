import type { IDataObject } from 'n8n-workflow';

import { LINK_OUTPUT } from '../../../../dist/nodes/LinkManagement/resources/link/writtenLink.js';
import { validatePurchase } from '../../../../dist/nodes/Store/resources/purchase.js';
import { mergeIntoRow } from '../../../../dist/nodes/shared/operations/output.js';

/** What becomes of the columns of a row, and in which order. */

type Case = [what: string, row: IDataObject, result: IDataObject, output: IDataObject];

/** As text, because the order counts. */
const shown = (json: IDataObject): string => JSON.stringify(json, null, 1);

describe('a result beside the columns of its row', () => {
	test.each<Case>([
		['stands behind the columns', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
		['an error before them', { a: 1 }, { b: 2, error: 'x' }, { error: 'x', a: 1, b: 2 }],
		['fills a blank column', { id: ' ' }, { id: 7 }, { id: 7 }],
		['keeps another value', { id: 5, a: 1 }, { id: 7 }, { id: 7, a: 1, input_id: 5 }],
		['but no equal one', { id: '7', a: { b: 1 } }, { id: 7, a: { b: 1 } }, { id: 7, a: { b: 1 } }],
		['of a row that came back', { id: 6, input_id: 5 }, { id: 7 }, { id: 7, input_id: 5 }],
		['also if that is blank', { id: 6, input_id: '' }, { id: 7 }, { id: 7, input_id: 6 }],
		['null is a value', { a: 1 }, { a: null }, { a: null, input_a: 1 }],
		['undefined is none', { a: 1 }, { a: undefined, b: undefined }, { a: 1 }],
		['an error of the row moves', { error: 'mine' }, { b: 2 }, { input_error: 'mine', b: 2 }],
		['a blank one goes', { error: '' }, { b: 2 }, { b: 2 }],
		[
			'both errors are kept',
			{ error: 'mine' },
			{ error: 'x' },
			{ error: 'x', input_error: 'mine' },
		],
		['a byte order mark goes', { '\ufeffa': 1 }, {}, { a: 1 }],
	])('%s', (_what, row, result, expected) => {
		expect(shown(mergeIntoRow(row, result))).toBe(shown(expected));
	});

	test('what is done to an item later changes no row', () => {
		const row = { a: { b: 1 } };
		expect(mergeIntoRow(row, {}).a).not.toBe(row.a);
	});
});

test('outcome, error and short URL of a link are first', () => {
	const row = { url: 'u', shorturl: 's' };
	const merged = mergeIntoRow(row, { shorturl: 's', id: 1, outcome: 'created' }, LINK_OUTPUT);
	expect(shown(merged)).toBe(shown({ outcome: 'created', shorturl: 's', url: 'u', id: 1 }));
});

test('no verdict of a sheet stands in the place of the one of the store', () => {
	const row = { code: 'a', valid: 'yes', price: 9 };
	const result = { valid: false, reason: 'Invalid', price: null };
	const merged = mergeIntoRow(row, result, validatePurchase.output);
	const expected = { valid: false, reason: 'Invalid', code: 'a', price: null };
	expect(shown(merged)).toBe(shown({ ...expected, input_valid: 'yes', input_price: 9 }));
});
