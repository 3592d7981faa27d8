import { codesIn, storedCodes } from '../../../../dist/nodes/Store/trigger/codes.js';
import { all, testReaders } from '../../helpers/readers.ts';

const CODE = '7f3a9c52-1b8e-4d60-9a47-ffc5e2f0d81b';
const OTHER_CODE = '5f1c2a90-7d3e-4b52-8c0f-2e6d9a417b58';

testReaders({
	'the codes of a trigger': {
		read: (value) => [...codesIn(value).values()],
		takes: [
			...all(
				[`${CODE}\n${OTHER_CODE}`, `${CODE}, ${OTHER_CODE};`, `- ${CODE}\r\n- ${OTHER_CODE}\n`],
				[CODE, OTHER_CODE],
			),
			...all([[CODE, null, OTHER_CODE, CODE]], [CODE, OTHER_CODE]),
			...all(
				[`1. ${CODE}, Ann\n2. ${OTHER_CODE} # Ben`, `${CODE} ${OTHER_CODE}`],
				[CODE, OTHER_CODE],
			),
			['a-1,b-2\nc-3', ['a-1', 'b-2', 'c-3']],
			['a-1,A-1', ['a-1', 'A-1']],
			...all([undefined, null, '', ' \n,'], []),
		],
		refuses: [`${CODE}\n#N/A`, [1.5e20], { code: CODE }],
		saying: /^'Purchase Codes' (is the error|is a number|must be text)/,
	},
});

test('of too many codes, those that are watched stay', () => {
	const codes = Array.from({ length: 1001 }, (_, at) => `code-${at}`);
	const known = new Map(codes.map((code) => [code, { state: 'valid' as const }]));
	const stored = storedCodes(known, new Map([['code-0', 'code-0']]));
	expect(stored.codes).toHaveLength(1000);
	expect(stored.codes).toContainEqual({ code: 'code-0', state: 'valid' });
});
