import { canonicalUrl, withQuery } from '../../../../dist/nodes/LinkManagement/values/longUrl.js';
import * as shortUrl from '../../../../dist/nodes/LinkManagement/values/shortUrl.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What makes two links one: their host, and their alias or long URL. */

const PAGE = 'https://example.com/a?b=1&c=2';

test.each([
	['https://example.com/a/?b=1&c=2', PAGE],
	['https://example.com', 'https://example.com/'],
	['https://example.com/a/#top', 'https://example.com/a#top'],
	['https://example.com/a?c=2&b=1', PAGE],
	['https://example.com/a?b=1&amp;c=2', PAGE],
	["https://example.com/it's?a='", 'https://example.com/it%27s?a=&#039;'],
	['HTTPS://Example.COM:443/a?b=1&c=2', PAGE],
	['https://größe.example', 'https://xn--gre-6ka8i.example/'],
	['https://example.com/größe?q=ä#ö', 'https://example.com/gr%C3%B6%c3%9fe?q=%c3%a4#%C3%B6'],
	['https://example.com/%61~b:c(d)', 'https://example.com/a%7Eb%3Ac%28d%29'],
	['https://example.com?&a=b+c+d&', 'https://example.com?a=b%20c%20d'],
	['https://example.com/50%?a=5%', 'https://example.com/50%25?a=5%25'],
	['https://example.com?a&b', 'https://example.com?b=&a='],
	['https://example.com/a?', 'https://example.com/a'],
	['https://example.com/{x}?a={{y}}', 'https://example.com/%7Bx%7D?a=%7B%7By%7D%7D'],
])('%s and %s are one page', (one, other) => {
	expect(canonicalUrl(one)).toBe(canonicalUrl(other));
});

test.each([
	['http://example.com/a', 'https://example.com/a'],
	['https://www.example.com/a', 'https://example.com/a'],
	['https://example.com/a#b', 'https://example.com/a'],
	['https://example.com/#/a/', 'https://example.com/#/a'],
	['https://example.com:8080/a', 'https://example.com/a'],
	['https://example.com/A', 'https://example.com/a'],
	['https://example.com?a=B', 'https://example.com?a=b'],
	['https://example.com?utm_source=a', 'https://example.com'],
	['https://example.com?a=1&a=2', 'https://example.com?a=2&a=1'],
	['https://example.com/a%2Fb', 'https://example.com/a/b'],
	['https://example.com/a%3Fb', 'https://example.com/a?b'],
	['https://example.com?a%3Db=c', 'https://example.com?a=b%3Dc'],
	['https://example.com?a=1%26b=2', 'https://example.com?a=1&b=2'],
	['https://example.com?a=1%2B2', 'https://example.com?a=1+2'],
	['https://example.com?q=%E4', 'https://example.com?q=%F6'],
	['https://ann@example.com', 'https://example.com'],
	['whatsapp://send?text=a', 'whatsapp://send?text=b'],
])('%s and %s are two pages', (one, other) => {
	expect(canonicalUrl(one)).not.toBe(canonicalUrl(other));
});

test.each([
	['https://example.com/', { a: 'b c' }, 'https://example.com/?a=b%20c'],
	['https://example.com/?a=1&b=2&a=4#c', { a: 3 }, 'https://example.com/?b=2&a=3#c'],
	['https://example.com/?%61=1', { a: 3 }, 'https://example.com/?a=3'],
	['https://example.com/?x={y}', { a: "Ann's {z}" }, 'https://example.com/?x={y}&a=Ann%27s%20{z}'],
])('%s with %j is %s', (url, values, expected) => {
	expect(withQuery(url, values)).toBe(expected);
});

testReaders({
	'the host of an address': {
		read: shortUrl.hostIn,
		takes: [
			...all(['GO.example.', 'https://go.example:443/a', 'http://go.example:80'], 'go.example'),
			['go.example:8080/a', 'go.example:8080'],
			...all(['', ' ', null, 7], undefined),
		],
	},
	'the alias of a short URL': {
		read: (value) => shortUrl.aliasIn(value),
		takes: [
			...all(['https://go.example/s/a/?b=c', 'go.example/a'], 'a'),
			['https://go.example/gr%C3%B6%C3%9Fe', 'größe'],
			...all(['https://go.example', null, 7], undefined),
		],
	},
	'an alias': {
		read: (value) => shortUrl.parseAlias('Custom Alias', value),
		takes: [...same('Spring Sale', 'a//b', 'bit.ly'), ['gr%C3%B6%C3%9Fe', 'größe'], [7, '7']],
		refuses: ['___', '!', '-', '/', '%20%20'],
		saying: /^'Custom Alias' has no letter or digit: ".+"/,
	},
	'the key of a short URL or an alias': {
		read: (value) => shortUrl.linkName(String(value)),
		takes: [
			...all(
				['https://go.example/a_b', 'GO.example/A-B?c', 'http://go.example/a%20b'],
				'go.example/a-b',
			),
			['localhost:3000/a', 'localhost:3000/a'],
			...all(['!"#$%&\'a()*+,-./_|b ', 'a | B', 'a--b', 'a\u00a0b', '/a.b/', 'a/b'], 'a-b'),
			...all(['Größe', 'gr%C3%B6%C3%9Fe', 'GRO\u0308ßE'], 'größe'),
			...same('a:b', 'a@b', 'a~b', 'one-2', 'große'),
		],
	},
});

test('an alias with slashes is known to those who chose it', () => {
	expect(shortUrl.aliasIn('https://go.example/a/b', 'a/b')).toBe('a/b');
});

test.each<[address: string, alias: string, isItself: boolean]>([
	['http://GO.example:80/One/?utm_source=mail#top', 'one', true],
	['go.example/gr%C3%B6%C3%9Fe', 'größe', true],
	['https://go.example/spring-sale', 'Spring & Sale!', true],
	['https://go.example/s/one', 'one', true],
	['https://go.example/two', 'one', false],
	['https://go.example', 'one', false],
	['https://go.example/one/more', 'one', false],
	['https://go.example.com/one', 'one', false],
	['https://example.com/?to=https://go.example/one', 'one', false],
	['mailto:one@go.example', 'one', false],
])('%s leads to the link %s of go.example: %j', (address, alias, isItself) => {
	expect(shortUrl.isShortUrlOf(address, 'go.example', alias)).toBe(isItself);
});
