import {
	isSameCode,
	otherSpelling,
	parsePurchaseCode,
} from '../../../dist/nodes/Store/purchaseCode.js';
import { all, same, testReaders } from '../helpers/readers.ts';

const CODE = '7f3a9c52-1b8e-4d60-9a47-ffc5e2f0d81b';
const OTHER_CODE = '5f1c2a90-7d3e-4b52-8c0f-2e6d9a417b58';

testReaders({
	'a purchase code': {
		read: (value) => parsePurchaseCode('Code', value),
		takes: [
			...all(['', ' \u200b', '=""', null, undefined, []], ''),
			...all([CODE, ` ${CODE}.\n`, `"${CODE}"`, `="${CODE}"`, `“${CODE}”,`], CODE),
			...all([`- ${CODE}`, `• ${CODE};`, `'${CODE}`, `(${CODE})`, `<${CODE}>`], CODE),
			...all(
				[' - ', '-\n', '\n-', '–', '—', '−', '‑', '_'].map((dash) => CODE.replaceAll('-', dash)),
				CODE,
			),
			...all([`\u202a${CODE}\u202c`, CODE.replace('ff', 'ﬀ')], CODE),
			...all([`> ${CODE}`, `12. ${CODE}`, `Purchase code: ${CODE}`, `Code - ${CODE}`], CODE),
			...all([`${CODE} # Acme`, `${CODE} (Ann)`, `${CODE}, Ann`, `${CODE} - Ann`], CODE),
			...all([`{${CODE}}`, `/?code=${CODE}&x=1`, `${CODE}\n${CODE}`, `Ann\n${CODE}\nBen`], CODE),
			[`コードは${CODE}です`, CODE],
			[`Code: ${CODE.replaceAll('-', '')}`, CODE.replaceAll('-', '')],
			[`${CODE} ${CODE.toUpperCase()}`, CODE],
			...same(CODE.toUpperCase(), CODE.replaceAll('-', ''), `${CODE}0`, `${CODE}-2`, `x-${CODE}`),
			...all(['"ABCD-1234"),', '="ABCD-1234"', '“ABCD-1234”.'], 'ABCD-1234'),
			[CODE.replaceAll('-', '\u200b-\u00ad'), CODE],
			...same('ABCD EFGH IJKL MNOP', 'A1B2C3D4', 'a+b/c='),
			[123456, '123456'],
		],
	},
	'two purchase codes': {
		read: (value) => parsePurchaseCode('Code', value),
		refuses: [
			...[' ', '\n', ', ', ';', ' and '].map((joint) => `${CODE}${joint}${OTHER_CODE}`),
			`${CODE} ${OTHER_CODE.replaceAll('-', '')}`,
		],
		saying:
			/^'Code' has more than one code: ".+"\. Check them one by one, each in an item of its own\.$/,
	},
	'what a sheet has in place of a purchase code': {
		read: (value) => parsePurchaseCode('Code', value),
		refuses: ['#N/A', '#REF!', '="#NAME?"', '1.23457E+19', '1,23457E+19', 1e15, 1.5e20],
		saying: /^'Code' is (the error of a formula|a number that a spreadsheet has rounded): "/,
	},
});

test.each([
	[CODE, CODE.toUpperCase(), true],
	[CODE, CODE.replaceAll('-', ''), true],
	[CODE, OTHER_CODE, false],
])('%s and %s are one code: %j', (a, b, isSame) => expect(isSameCode(a, b)).toBe(isSame));

test.each<[code: string, other: string | undefined]>([
	[CODE.replaceAll('-', ''), CODE],
	[CODE, undefined],
	[`${CODE}0`, undefined],
	[`${CODE}a`, undefined],
	[`${CODE}f1 `, undefined],
	[`00${CODE}`, undefined],
	[`${CODE.replaceAll('-', '')}0`, undefined],
	[`0${CODE.replaceAll('-', '')}`, undefined],
])('%s may be spelled %s', (code, other) => expect(otherSpelling(code)).toBe(other));
