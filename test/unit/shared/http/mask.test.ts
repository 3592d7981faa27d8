import * as fc from 'fast-check';

import { maskOf, withoutSecrets } from '../../../../dist/nodes/shared/http/mask.js';

/** A service, or the network, may repeat a key in any of these forms. */

const KEY = 'k3y/with+signs&"=<';

const inJson = (key: string) => JSON.stringify(key).slice(1, -1);
const FORMS: Array<[string, (key: string) => string]> = [
	['as it is', (key) => key],
	['percent-encoded', encodeURIComponent],
	[
		'percent-encoded in small letters',
		(key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
	],
	['percent-encoded sign by sign', (key) => Buffer.from(key).toString('hex').replace(/../g, '%$&')],
	['in JSON', inJson],
	['in JSON of PHP', (key) => inJson(key).replaceAll('/', '\\/')],
	['in JSON of Go', (key) => inJson(key).replace('&', '\\u0026').replace('<', '\\u003c')],
];

test.each(FORMS)('a key is masked %s', (_form, form) => {
	const written = form(KEY);
	const masked = maskOf([KEY])(`before ${written} and ${written} after`);
	expect(masked).toBe('before *** and *** after');
});

test('a key is masked in Base64, in either alphabet, also with what follows it', () => {
	const key = 'key~~??with>>signs';
	for (const after of ['', ':', ':password']) {
		for (const alphabet of ['base64', 'base64url'] as const) {
			const masked = maskOf([key])(`Basic ${Buffer.from(key + after).toString(alphabet)}`);
			expect(masked).toMatch(/^Basic \*\*\*/);
			expect(Buffer.from(masked.slice(9), alphabet).toString()).not.toContain(key.slice(-2));
		}
	}
});

test('any key is masked, and nothing else is touched', () => {
	const keys = fc.string({
		minLength: 8,
		maxLength: 80,
		unit: fc
			.integer({ min: 0x20, max: 0x7e })
			.filter((code) => code !== 0x5c)
			.map((code) => String.fromCharCode(code)),
	});
	fc.assert(
		fc.property(keys, fc.string(), fc.constantFrom(...FORMS.slice(0, 6)), (key, text, [, form]) => {
			fc.pre(!text.includes(key));
			expect(maskOf([key])(`<${form(key)}>`)).toBe('<***>');
			expect(maskOf(['another-key-of-some-length'])(text)).toBe(text);
		}),
	);
});

test('several secrets are masked, and one that contains another is masked whole', () => {
	const [key, header] = ['sk-ABCDEFGH12345678', 'Token sk-ABCDEFGH12345678-and-more'];
	expect(maskOf([key, header])(`${header} ${key}`)).toBe('*** ***');
});

test('each mask has its own secrets', () => {
	expect(maskOf(['12345678abcdefgh'])('abcdefgh')).toBe('abcdefgh');
	expect(maskOf(['12345678', 'abcdefgh'])('abcdefgh')).toBe('***');
});

test('JSON stays JSON: a key is masked in texts and in names of members', () => {
	const said: unknown = JSON.parse('{"12345678":[{"a":"x 12345678"},null],"c":1234567}');
	expect(withoutSecrets(said, maskOf(['12345678']))).toEqual({
		'***': [{ a: 'x ***' }, null],
		c: 1234567,
	});
});

test('a short key, which could stand in any text, is left alone', () => {
	expect(maskOf(['short'])('a short text')).toBe('a short text');
});
