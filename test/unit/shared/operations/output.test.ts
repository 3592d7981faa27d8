import type { IDataObject } from 'n8n-workflow';

import { LINK_OUTPUT } from '../../../../dist/nodes/LinkManagement/resources/link/linkOutput.js';
import { validatePurchase } from '../../../../dist/nodes/Store/resources/purchase.js';
import type { OutputColumns } from '../../../../dist/nodes/shared/operations/operation.js';
import { mergeIntoRow } from '../../../../dist/nodes/shared/operations/output.js';

/** What becomes of the columns of a row, and in which order. */

type Case = [what: string, row: IDataObject, result: IDataObject, output: IDataObject];

function testColumns(output: OutputColumns | undefined, cases: Case[]): void {
	test.each(cases)('%s', (_what, row, result, expected) => {
		const merged = mergeIntoRow(row, result, output);
		// As text, because the order counts.
		expect(JSON.stringify(merged, null, 1)).toBe(JSON.stringify(expected, null, 1));
	});
}

describe('without a rule of its own', () => {
	testColumns(undefined, [
		['a result stands behind the columns', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
		['an error before them', { a: 1 }, { b: 2, error: 'x' }, { error: 'x', a: 1, b: 2 }],
		['a blank column is filled', { id: ' ' }, { id: 7 }, { id: 7 }],
		[
			'an equal one is no other',
			{ id: '7', a: { b: 1 } },
			{ id: 7, a: { b: 1 } },
			{ id: 7, a: { b: 1 } },
		],
		['another value is kept', { id: 5 }, { id: 7 }, { id: 5, result_id: 7 }],
		[
			'under a name that is taken, too',
			{ id: 5, result_id: 6 },
			{ id: 7 },
			{ id: 5, result_id: 6, result_result_id: 7 },
		],
		['a member without a value empties nothing', { a: 1 }, { a: undefined }, { a: 1 }],
		['null is a value', { a: 1 }, { a: null }, { a: 1, result_a: null }],
		['an error of the row moves', { error: 'mine' }, { b: 2 }, { input_error: 'mine', b: 2 }],
		['a blank one goes', { error: '' }, { b: 2 }, { b: 2 }],
		['a byte order mark goes', { '\ufeffa': 1 }, {}, { a: 1 }],
	]);

	test('what is done to an item later changes no row', () => {
		const row = { a: { b: 1 } };
		expect(mergeIntoRow(row, {}).a).not.toBe(row.a);
	});
});

const AN_ERROR = { error: 'old' };

describe('a link', () => {
	testColumns(LINK_OUTPUT, [
		[
			'outcome, error and short URL are first',
			{ url: 'u' },
			{ shorturl: 's', id: 1, outcome: 'created' },
			{ outcome: 'created', shorturl: 's', url: 'u', id: 1 },
		],
		[
			'what an earlier run wrote is written again',
			{ outcome: 'created', shorturl: 's', clicks: 1, ...AN_ERROR },
			{ outcome: 'updated', shorturl: 't', clicks: 2 },
			{ outcome: 'updated', shorturl: 't', clicks: 2 },
		],
		[
			'an ID that differs is the own one',
			{ outcome: 'created', shorturl: 's', id: 5 },
			{ outcome: 'updated', shorturl: 's', id: 7 },
			{ outcome: 'updated', shorturl: 's', id: 5, link_id: 7 },
		],
		[
			'but not in a row with all that an earlier run wrote, whose link was another one',
			{ outcome: 'created', shorturl: 's', id: '5', clicks: 1 },
			{ outcome: 'created', shorturl: 't', id: 7, clicks: 0 },
			{ outcome: 'created', shorturl: 't', id: 7, clicks: 0 },
		],
		[
			'a name with a prefix shows that the column is the own one',
			{ link_outcome: 'created', outcome: 'open', shorturl: 's' },
			{ outcome: 'updated', shorturl: 's' },
			{ shorturl: 's', link_outcome: 'updated', outcome: 'open' },
		],
		[
			'an outcome of an earlier run without its short URL is the own one',
			{ outcome: 'created' },
			{ outcome: 'updated' },
			{ outcome: 'created', link_outcome: 'updated' },
		],
		[
			'of a row that failed, the outcome and the error are written again',
			{ outcome: 'failed', clicks: 1, ...AN_ERROR },
			{ outcome: 'created', clicks: 0 },
			{ outcome: 'created', clicks: 1, link_clicks: 0 },
		],
		[
			'also if its columns are empty',
			{ outcome: 'skipped', shorturl: '' },
			{ outcome: 'created', shorturl: 's' },
			{ outcome: 'created', shorturl: 's' },
		],
		[
			'the word alone is none of ours',
			{ outcome: 'failed' },
			{ outcome: 'created' },
			{ outcome: 'failed', link_outcome: 'created' },
		],
	]);
});

describe('a purchase', () => {
	testColumns(validatePurchase.output, [
		[
			'an old verdict never stands in the place of the new one',
			{ valid: 'FALSE', reason: 'old', price: 9, support_active: false },
			{ valid: true, reason: null },
			{ valid: true, reason: null, price: 9, support_active: false },
		],
		[
			'nor an old date, where a table keeps few of the columns',
			{ valid: true, supported_until: '2030-01-01' },
			{ valid: true, supported_until: '2031-01-01' },
			{ valid: true, supported_until: '2031-01-01' },
		],
		[
			'also of a refunded code',
			{ valid: 'TRUE', supported_until: '' },
			{ valid: false, supported_until: null },
			{ valid: false, supported_until: null },
		],
		[
			'a verdict that may be the own one is not lost',
			{ valid: 'FALSE', reason: 'mine', price: 9 },
			{ valid: true, reason: null, price: 8 },
			{
				valid: true,
				reason: null,
				price: 9,
				input_valid: 'FALSE',
				input_reason: 'mine',
				result_price: 8,
			},
		],
		[
			'also in words of the sheet',
			{ valid: 'WAHR', support_active: '' },
			{ valid: false },
			{ valid: false, support_active: '' },
		],
		[
			'a blank one does, if it has an error',
			{ valid: '', ...AN_ERROR },
			{ valid: true },
			{ valid: true },
		],
		[
			'no price empties no column',
			{ price: 9 },
			{ valid: false, price: null, reason: null },
			{ valid: false, reason: null, price: 9 },
		],
		['but is one', { price: '' }, { valid: true, price: null }, { valid: true, price: null }],
		[
			'a verdict of another program gets another name, so that none is taken for it',
			{ valid: 'yes', reason: 'late', code: 'a' },
			{ valid: false, reason: 'Invalid' },
			{ valid: false, reason: 'Invalid', code: 'a', input_valid: 'yes', input_reason: 'late' },
		],
		[
			'unless both say the same',
			{ reason: 'Invalid', code: 'a' },
			{ valid: false, reason: 'Invalid' },
			{ valid: false, reason: 'Invalid', code: 'a' },
		],
		[
			'which stays in a later run',
			{ valid: false, reason: 'Invalid', input_valid: 'yes', support_active: false },
			{ valid: true, reason: null, support_active: true },
			{ valid: true, reason: null, input_valid: 'yes', support_active: true },
		],
	]);
});
