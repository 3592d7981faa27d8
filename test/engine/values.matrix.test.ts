import type { IDataObject } from 'n8n-workflow';

import { choicesOf } from '../operations.ts';
import type { Case } from './fields.ts';
import { ABSENT, CASES, REFUSED } from './fields.ts';
import type { Sent } from './support.ts';
import { Stage, onStage } from './support.ts';

/**
 * Every field with a text, a number, an empty and no value: what of it arrives. The services may refuse it then; here counts
 * what they were sent.
 */

/** What is entered, and what is sent for a text and for a number. */
const KINDS = {
	text: { entered: ['some text', 7], sent: ['some text', '7'] },
	addressPart: { entered: [' part\n', 7], sent: ['part', '7'] },
	address: { entered: ['mailto:ann@example.com', 7], sent: ['mailto:ann@example.com', REFUSED] },
	webAddress: { entered: ['https://example.com/a', 7], sent: ['https://example.com/a', REFUSED] },
	flag: { entered: [' TRUE ', 0, 'yes'], sent: [true, false, REFUSED] },
	hexColor: { entered: ['#f90', 123456], sent: ['#ff9900', '#123456'] },
	rgbColor: { entered: ['#f90', 123456], sent: ['rgb(255,153,0)', 'rgb(18,52,86)'] },
	moment: {
		entered: ['2030-06-01T12:00', 1906545600],
		sent: ['2030-06-01 12:00:00', '2030-06-01 12:00:00'],
	},
} satisfies Partial<Record<Case['kind'], unknown>>;

/** Of a choice, its last option. */
function entries({ kind, field }: Case): { entered: unknown[]; sent: unknown[] } {
	if (kind !== 'choice') return KINDS[kind];
	const last = choicesOf(field).at(-1)?.value;
	return { entered: [last, 'none of them'], sent: [last, REFUSED] };
}

async function sentFor(
	stage: Stage,
	{ operation, parameters, find }: Case,
	value: unknown,
): Promise<unknown> {
	const run = operation.node === 'store' ? stage.store.bind(stage) : stage.link.bind(stage);
	const row = { value } as IDataObject;
	const { requests } = await run(operation.name, parameters, { rows: [row] });
	const written = requests.find(({ request }) => !request.startsWith('GET'));
	return written ? found(written, find) : REFUSED;
}

const found = ({ body = {} }: Sent, find: Case['find']): unknown =>
	find(body as IDataObject) ?? ABSENT;

describe.each(['documented', 'seen'] as const)('in the dialect %s', (dialect) => {
	const stage = onStage(new Stage(dialect));

	test.each(CASES)('$name sends what was entered', async (given) => {
		const { entered, sent } = entries(given);
		const arrived: unknown[] = [];
		for (const value of [...entered, '', null]) arrived.push(await sentFor(stage, given, value));
		expect(arrived).toEqual([...sent, given.empty, given.none]);
	});

	test.each(CASES.filter(({ kind }) => /^text|addressPart/.test(kind)))(
		'$name refuses an object, and sends true as a text',
		async (given) => {
			expect(await sentFor(stage, given, { a: 1 })).toBe(REFUSED);
			expect(await sentFor(stage, given, true)).toBe('true');
		},
	);
});
