import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import * as fc from 'fast-check';

import { maskFor, maskOf, withoutSecrets } from '../../dist/nodes/shared/http/mask.js';

/** A service, or the network, may repeat a key in any of these forms. */

const KEY = 'k3y/with+signs&"=';
const mask = maskOf([KEY]);

const lowerCaseCodes = (text: string) =>
	encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase());
const percent = (text: string) =>
	[...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const entities = (text: string) => [...Buffer.from(text)].map((byte) => `&#${byte};`).join('');

const FORMS: Array<[string, (key: string) => string]> = [
	['as it is', (key) => key],
	['percent-encoded', encodeURIComponent],
	['percent-encoded in small letters', lowerCaseCodes],
	['percent-encoded throughout', percent],
	['percent-encoded twice', (key) => encodeURIComponent(encodeURIComponent(key))],
	['escaped for HTML', (key) => key.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
	['escaped for HTML by numbers', entities],
	['escaped for HTML by long numbers', (key) => entities(key).replaceAll('#', '#00000000')],
	['in JSON', (key) => JSON.stringify(key).slice(1, -1)],
	['in JSON of PHP', (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
	[
		'in JSON with codes',
		(key) => key.replace(/[^a-z]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
	],
];

test.each(FORMS)('a key is masked %s', (_form, form) => {
	const written = form(KEY);
	expect(mask(`before ${written} and ${written} after`)).toMatch(
		/^before \*\*\* and \*\*\* after$/,
	);
});

test('several secrets of 2,000 characters are masked', () => {
	const secrets = ['&"', 'k%'].map((signs) => signs.repeat(1000));
	const maskAll = maskOf(secrets);
	for (const secret of secrets) expect(maskAll(`before ${secret} after`)).toBe('before *** after');
});

test('a secret that contains another one is masked whole', () => {
	const [key, header] = ['sk-ABCDEFGH12345678', 'Token sk-ABCDEFGH12345678-and-more'];
	expect(maskOf([key, header])(`${header} ${key}`)).toBe('*** ***');
});

test('a space of a secret may be a plus sign', () => {
	expect(maskOf(['Token of words'])('a+b Token+of+words')).toBe('a+b ***');
	expect(maskOf(['12345678'])('++++++++')).toBe('++++++++');
});

test('each credential has its own mask', () => {
	maskFor(['12345678abcdefgh']);
	expect(maskFor(['12345678', 'abcdefgh'])('abcdefgh')).toBe('***');
});

test('a key is masked in JSON within JSON', () => {
	let written = KEY;
	for (let times = 1; times <= 3; times += 1) {
		written = JSON.stringify(written).slice(1, -1);
		expect(mask(`before ${written} after`)).toBe('before *** after');
	}
});

test('a key is masked in Base64, wherever it begins, and in either alphabet', () => {
	const key = 'key~~??with>>signs';
	for (const before of ['', 'a', 'ab', 'user:', ':']) {
		for (const alphabet of ['base64', 'base64url'] as const) {
			const text = Buffer.from(`${before}${key} and more`).toString(alphabet);
			for (const written of [text, encodeURIComponent(text)]) {
				const masked = maskOf([key])(written);
				expect(masked).toContain('***');
				expect(Buffer.from(masked, alphabet).toString()).not.toContain(key.slice(3, -3));
			}
		}
	}
});

test('any key is masked, and nothing else is touched', () => {
	const keys = fc.string({
		minLength: 8,
		maxLength: 80,
		unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
	});
	fc.assert(
		fc.property(keys, fc.string(), fc.constantFrom(...FORMS), (key, text, [, form]) => {
			fc.pre(!text.includes(key));
			expect(maskOf([key])(`<${form(key)}>`)).toBe('<***>');
			expect(maskOf(['another-key-of-some-length'])(text)).toBe(text);
		}),
	);
});

test('JSON stays JSON: a key is masked in names of members, and as a number', () => {
	const said: unknown = JSON.parse(
		'{"12345678":[12345678,{"a":1.2345678e7}],"b":"x 12345678","c":1234567}',
	);
	expect(withoutSecrets(said, maskOf(['12345678']))).toEqual({
		...{ '***': ['***', { a: '***' }], b: 'x ***', c: 1234567 },
	});
});

test('a short key, which could stand in any text, is left alone', () => {
	expect(maskOf(['short'])('a short text')).toBe('a short text');
});

test('megabytes take milliseconds, also if they are nearly the key', () => {
	const key = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab';
	for (const pump of ['a', '\\', '%61', '&#0', 'YWFh', '\\u00', '%2525']) {
		const text = pump.repeat(1_000_000 / pump.length);
		const before = process.cpuUsage();
		expect(maskOf([key])(text).length > 0).toBe(true);
		expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500);
	}
});

test('a key of signs that escapes contain, too, is not searched for in countless ways', () => {
	const before = process.cpuUsage();
	expect(maskOf([`${';'.repeat(40)}Z`])('&#59;'.repeat(80))).toBe('&#59;'.repeat(80));
	expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500);
});

/** In bytes, after what is no longer used was collected. */
function compiledCode(): number {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	// What is compiled stays in a cache for some collections.
	for (let times = 0; times < 4; times += 1) collect();
	const code = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith('code'));
	return code.reduce((sum, space) => sum + space.space_used_size, 0);
}

test('many keys do not use up the room for compiled code', () => {
	const before = compiledCode();
	const text = `${'a'.repeat(2000)} `;
	for (let number = 0; number < 100; number += 1) {
		const key = `sk_live_${number}_0123456789abcdefghijklmnopqrstuvwxyz`;
		for (const times of [1, 2, 3]) {
			expect(maskFor([key])(text.repeat(times) + key).endsWith(' ***')).toBe(true);
		}
	}
	expect(compiledCode() - before).toBeLessThan(12e6);
});
