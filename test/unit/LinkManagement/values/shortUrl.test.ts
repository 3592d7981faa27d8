import * as shortUrl from '../../../../dist/nodes/LinkManagement/values/shortUrl.js';
import { decoded } from '../../../../dist/nodes/shared/values/text.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

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
			...all(['https://go.example/a', 'https://go.example/s/a/?b=c', 'go.example/a'], 'a'),
			['https://go.example/gr%C3%B6%C3%9Fe', 'größe'],
			...all(['https://go.example', null, 7], undefined),
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
		read: (value) => shortUrl.parseAlias('Custom Alias', value),
		takes: [
			...same('one', 'größe', 'Spring Sale', 'a/b', 'v1.2', '1e5', '2024', '1,5', '1,701,234'),
			...same('NA', 'Nat', 'a//b', 'a\\b', 'bit.ly', 'https://bit.ly/one'),
			[' one\u200b', 'one'],
			['gr%C3%B6%C3%9Fe', 'größe'],
			[7, '7'],
		],
	},
	'an alias of signs alone': {
		read: (value) => shortUrl.parseAlias('Custom Alias', value),
		refuses: ['___', '!', '-', '/', '%20%20'],
		saying: /^'Custom Alias' has no letter or digit: ".+"/,
	},
	'an alias in the form in which aliases are compared': {
		read: (value) => shortUrl.aliasKey(String(value)),
		takes: [
			...all(
				['Sommer Aktion', 'sommer_aktion', 'sommer - aktion!', '/Sommer.Aktion/'],
				'sommer-aktion',
			),
			...all(['!"#$%&\'a()*+,-./_|b ', 'a | b', 'a--b', 'a\u00a0b'], 'a-b'),
			...all(['Größe', 'gr%C3%B6%C3%9Fe', 'GRO\u0308ßE'], 'größe'),
			...same('a:b', 'a@b', 'a~b', 'one', 'one-2', 'große'),
		],
	},
	'the key of a short URL': {
		read: (value) => shortUrl.linkName(String(value)),
		takes: [
			...all(
				['https://go.example/a_b', 'GO.example/A-B?c', 'http://go.example/a%20b'],
				'go.example/a-b',
			),
			...all(['a_b', 'A b'], 'a-b'),
		],
	},
});

test('an alias with slashes is known to those who chose it', () => {
	expect(shortUrl.aliasIn('https://go.example/a/b', 'a/b')).toBe('a/b');
});

describe('a link to itself', () => {
	const PAGES: ReadonlyArray<[address: string, host: string, alias: string]> = [
		['https://go.example/one', 'go.example', 'one'],
		['http://go.example/one/', 'go.example', 'one'],
		['go.example/one', 'go.example', 'one'],
		['https://GO.example:443/One?utm_source=mail#top', 'go.example', 'one'],
		['https://go.example/gr%C3%B6%C3%9Fe', 'go.example', 'größe'],
		['https://go.example/spring-sale', 'go.example', 'Spring & Sale!'],
		['https://go.example/s/one', 'go.example', 'one'],
		['http://127.0.0.1:8080/one', '127.0.0.1:8080', 'one'],
	];

	test.each(PAGES)('%s, on %s as %s', (address, host, alias) => {
		expect(shortUrl.isShortUrlOf(address, host, alias)).toBe(true);
	});

	test.each([
		'https://go.example/two',
		'https://go.example',
		'https://go.example/one/more',
		'https://example.com/one',
		'https://go.example.com/one',
		'https://example.com/?to=https://go.example/one',
		'mailto:one@go.example',
	])('is not %s', (address) => {
		expect(shortUrl.isShortUrlOf(address, 'go.example', 'one')).toBe(false);
	});
});
