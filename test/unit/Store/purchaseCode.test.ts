import { codeKey, isSameCode, parsePurchaseCode } from '../../../dist/nodes/Store/purchaseCode.js';
import { storedCodes, watchedCodes } from '../../../dist/nodes/Store/trigger/codes.js';
import { all, same, testReaders } from '../helpers/readers.ts';

const CODE = '7f3a9c52-1b8e-4d60-9a47-ffc5e2f0d81b';
const OTHER = '5f1c2a90-7d3e-4b52-8c0f-2e6d9a417b58';

/** Codes of vendors with forms of their own; each is sent as it is, in both cases. */
const OWN_FORMS = `
A1B2C3D4  ABCD-EFGH-IJKL  *ABCD-EFGH-IJKL*  ABCD EFGH IJKL MNOP  1234-5678-9012-3456  a+b/c=  ORDER#10042
eyJhbGciOiJIUzI1NiJ9.e30.Zm9v  7F3A9C521B8E4D609A47FFC5E2F0D81B  lic:acme/42?x=1  ${CODE}0  0${CODE}
${CODE}-2  x-${CODE}  7f3a9c52_1b8e_4d60_9a47_ffc5e2f0d81b  7F3A9C52-1B8E-4D60  {A1B2-C3D4}  (2024) 17-B
müller-2024  コード-42  no-code-yet  ${CODE}${CODE}
`
	.trim()
	.split(/\s{2,}|\n/)
	.flatMap((code) => [code, code.toUpperCase(), code.toLowerCase()]);

/** What mails, tickets, sheets and word processors put around a code of the usual form, or make of it. */
const WITH_TEXT = [
	...[` ${CODE}.\n`, `="${CODE}"`, `“${CODE}”,`, `'${CODE}`, `(${CODE})`, `- ${CODE}`, `<${CODE}>`],
	...[`12. ${CODE}`, `Purchase code: ${CODE}`, `Code - ${CODE}`, `${CODE} # Acme`, `${CODE}, Ann`],
	...[`/?code=${CODE}&x=1`, `${CODE}\n${CODE}`, `Ann\n${CODE}\nBen`, `コードは${CODE}です`],
	...[' - ', '-\n', '–', '—', '−', '‑', '\u200b-\u00ad'].map((dash) => CODE.replaceAll('-', dash)),
];

testReaders({
	'a purchase code': {
		read: (value) => parsePurchaseCode('Code', value),
		takes: [
			...same(...OWN_FORMS, CODE.toUpperCase()),
			...all(WITH_TEXT, CODE),
			...all(['', ' \u200b', null, undefined, []], ''),
			...all([' "ABCD-1234"', "'ABCD-1234", '“ABCD-1234”', 'ABCD\u200b-1234\n'], 'ABCD-1234'),
			...all([[` ${CODE}. `], { id: 7, value: CODE }, [{ name: CODE }]], CODE),
		],
		refuses: [
			...[' ', '\n', ', ', ';', ' and '].map((joint) => `${CODE}${joint}${OTHER}`),
			...['#N/A', 'null', '{{ $json.code }}', 'A-1\nB-2', {}, '1.23457E+19', 1234567890123456],
		],
		saying: /^'Code' (has|is|stands|must)/,
	},
	'the codes of a trigger': {
		read: (value) => [
			...watchedCodes({ parameters: { purchaseCodes: value }, state: {} } as never).values(),
		],
		takes: [
			...all([`${CODE}, ${OTHER};`, `${CODE} ${OTHER}`, [CODE, null, OTHER, CODE]], [CODE, OTHER]),
			...all([`- ${CODE}\r\n- ${OTHER}\n`, `1. ${CODE}, Ann\n2. ${OTHER} # Ben`], [CODE, OTHER]),
			['a-1,b-2\na-1,A-1', ['a-1', 'b-2', 'A-1']],
			...all([undefined, null, '', ' \n,'], []),
		],
		refuses: [`${CODE}\n#N/A`, [{ code: CODE }]],
		saying: /^'Purchase Codes' (is|must)/,
	},
});

test.each([
	[CODE, CODE.toUpperCase(), true, true],
	[CODE, CODE.replaceAll('-', ''), true, true],
	['AB-7E', 'ab7e', true, false],
	[CODE, OTHER, false, false],
])('%s and %s may be one code: %j, and count as one: %j', (a, b, maySame, isOne) => {
	expect(isSameCode(a, b)).toBe(maySame);
	expect(codeKey(a) === codeKey(b)).toBe(isOne);
});

test('of too many codes, those that are watched stay', () => {
	const codes = Array.from({ length: 1001 }, (_, at) => `code-${at}`);
	const known = new Map(codes.map((code) => [code, { state: 'valid' as const }]));
	const stored = storedCodes(known, new Map([['code-0', 'code-0']]));
	expect(stored.codes).toHaveLength(1000);
	expect(stored.codes).toContainEqual({ code: 'code-0', state: 'valid' });
});
