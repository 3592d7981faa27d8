import * as shortUrl from '../../../../dist/nodes/LinkManagement/values/shortUrl.js';
import { decoded } from '../../../../dist/nodes/shared/values/text.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

const onDomain = (base: string) => (value: unknown) =>
	shortUrl.parseAlias('Custom Alias', value, base);

testReaders({
	'a text without percent-encoding': {
		read: (value) => decoded(String(value)),
		takes: [
			...all(['größe', 'gr%C3%B6%c3%9fe', 'gro\u0308ße'], 'größe'),
			...same('%', '%E4', '50%'),
		],
	},
	'the host of an address': {
		read: shortUrl.hostIn,
		takes: [
			...all(
				['go.example', 'GO.example.', 'https://go.example:443/a', 'http://go.example:80'],
				'go.example',
			),
			['go.example:8080/a', 'go.example:8080'],
			...all(['', ' ', null, 7], undefined),
		],
	},
	'the alias of a short URL': {
		read: (value) => shortUrl.aliasIn(value),
		takes: [
			...all(['https://go.example/a', 'https://go.example/s/a/?b=c'], 'a'),
			['https://go.example/gr%C3%B6%C3%9Fe', 'größe'],
			...all(['https://go.example', 'go.example/a', null, 7], undefined),
		],
	},
	'an address without scheme and query': {
		read: (value) => shortUrl.bareAddress(String(value)),
		takes: [
			...all(['https://go.example/a?b#c', 'GO.example/a/'], 'go.example/a'),
			...same('a b://'),
		],
	},
	'a short URL, or an alias': {
		read: (value) => shortUrl.isShortUrl(String(value)),
		takes: [
			...all(['go.example/a', 'localhost:3000/a'], true),
			...all(['a', 'a/b', 'a.b', 'a/b.c'], false),
		],
	},
	'an alias': {
		read: onDomain('https://go.example'),
		takes: [
			...same('one', 'größe', 'Spring Sale', 'a/b', 'v1.2', '1e5', '2024', '1,5'),
			...same('NA', 'Nat', 'a//b', 'a\\b', 'bit.ly'),
			[' one\u200b', 'one'],
			[7, '7'],
		],
	},
	'the alias of a whole short URL': {
		read: onDomain('https://go.example'),
		takes: [
			...all(['https://go.example/one', 'http://go.example/one', 'go.example/one'], 'one'),
			...all(['HTTPS://GO.example/one/', 'go.example/one?utm_source=a'], 'one'),
			['https://go.example/gr%C3%B6%C3%9Fe', 'größe'],
			['go.example/a/b', 'a/b'],
			['go.example/One', 'One'],
			...all(['https%3A%2F%2Fgo.example%2Fone', '//go.example/one'], 'one'),
			...all(['https//go.example/one', 'go.example\\one', 'https://go.example:443/one'], 'one'),
		],
		refuses: ['https://bit.ly/one', 'bit.ly/one', 'https://go.example.com/one', 'https://bit.ly'],
		saying: /^'Custom Alias' is a short URL on another domain than go\.example: ".+"\. Enter only/,
	},
	'a short URL without an alias': {
		read: onDomain('https://go.example'),
		refuses: ['https://go.example', 'http://go.example/', 'go.example', 'go.example/-'],
		saying: /^'Custom Alias' has no alias with a letter or digit: ".+"\. Enter another/,
	},
	'the alias of a short URL on the domain of the row': {
		read: onDomain('brand.example'),
		takes: all(['https://brand.example/one', 'brand.example/one', 'one'], 'one'),
		refuses: ['https://go.example/one'],
		saying: /another domain than brand\.example: /,
	},
	'the alias of a short URL of a service in a folder': {
		read: onDomain('https://example.com/s'),
		takes: all(['https://example.com/s/one', 'example.com/one'], 'one'),
	},
	'what stands for no alias': {
		read: onDomain('https://go.example'),
		refuses: ['-', '–', 'n/a', 'N/A', 'n.a.', 'none', '(none)'],
		saying: /^'Custom Alias' is no name, but stands for none: ".+"\. Leave/,
	},
	'a number that a spreadsheet has changed': {
		read: onDomain('https://go.example'),
		refuses: ['2024.0', '1,701,234'],
		saying:
			/^'Custom Alias' is a number that a spreadsheet or a program has changed: ".+"\. Format/,
	},
	'an alias as services rewrite it': {
		read: (value) => shortUrl.rewrittenAlias(String(value)),
		takes: [
			...all(
				['Sommer Aktion', 'sommer_aktion', 'sommer - aktion!', '/Sommer.Aktion/'],
				'sommer-aktion',
			),
			...all(['!"#$%&\'a()*+,-./_|b ', 'a | b', 'a--b', 'a\u00a0b'], 'a-b'),
			...all(['Größe', 'gr%C3%B6%C3%9Fe', 'GRO\u0308ßE'], 'größe'),
			...same('a:b', 'a@b', 'a~b'),
		],
	},
});

test('an alias with slashes is known to those who chose it', () => {
	expect(shortUrl.aliasIn('https://go.example/a/b', 'a/b')).toBe('a/b');
});

test.each([
	['Sömmer  Sale_2', 'sommer-sale-2', true],
	['one', 'ONE', true],
	['one', 'one-2', false],
	['größe', 'große', true],
	['one', 'two', false],
])('%s may be written as %s: %s', (alias, written, isSame) => {
	expect(shortUrl.isWrittenAs(alias, written)).toBe(isSame);
});
