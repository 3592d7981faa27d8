import { canonicalUrl, withQuery } from '../../../../dist/nodes/LinkManagement/values/longUrl.js';

const PAGE = 'https://example.com/a?b=1&c=2';

describe('one page, spelled in two ways', () => {
	test.each([
		['a final slash', 'https://example.com/a/?b=1&c=2', PAGE],
		['a final slash of the host', 'https://example.com', 'https://example.com/'],
		['a final slash before a fragment', 'https://example.com/a/#top', 'https://example.com/a#top'],
		['the order of the query', 'https://example.com/a?c=2&b=1', PAGE],
		['an entity', 'https://example.com/a?b=1&amp;c=2', PAGE],
		['a decimal entity', 'https://example.com/a?b=1&#038;c=2', PAGE],
		['an entity for an apostrophe', "https://example.com/it's", 'https://example.com/it&#039;s'],
		['an encoded apostrophe', "https://example.com/it's?a='", 'https://example.com/it%27s?a=%27'],
		['the case of the scheme', 'HTTPS://example.com/a?b=1&c=2', PAGE],
		['the case of the host', 'https://Example.COM/a?b=1&c=2', PAGE],
		['the default port', 'https://example.com:443/a?b=1&c=2', PAGE],
		['the default port of http', 'http://example.com:80/a', 'http://example.com/a'],
		['a host outside ASCII', 'https://größe.example', 'https://xn--gre-6ka8i.example/'],
		['encoded letters', 'https://example.com/größe', 'https://example.com/gr%C3%B6%c3%9fe'],
		['encoded letters of ASCII', 'https://example.com/%61~b', 'https://example.com/a%7Eb'],
		['encoded signs', 'https://example.com/a:b,c(d)', 'https://example.com/a%3Ab%2Cc%28d%29'],
		['letters in a query', 'https://example.com?q=größe', 'https://example.com/?q=gr%C3%B6%C3%9Fe'],
		['an ampersand too many', 'https://example.com?&a=b+c+d&', 'https://example.com?a=b%20c%20d'],
		['blanks in a query', 'https://example.com?q=a+b', 'https://example.com?q=a%20b'],
		['a percent sign', 'https://example.com/50%?a=5%', 'https://example.com/50%25?a=5%25'],
		['a fragment', 'https://example.com/#größe', 'https://example.com/#gr%C3%B6%C3%9Fe'],
		['a parameter without a value', 'https://example.com?a&b', 'https://example.com?b=&a='],
		['an empty query', 'https://example.com/a?', 'https://example.com/a'],
		[
			'a placeholder',
			'https://example.com/{x}?a={{y}}',
			'https://example.com/%7Bx%7D?a=%7B%7By%7D%7D',
		],
	])('%s: %s is %s', (_what, one, other) => {
		expect(canonicalUrl(one)).toBe(canonicalUrl(other));
	});
});

describe('two pages', () => {
	test.each([
		['http', 'http://example.com/a', 'https://example.com/a'],
		['www', 'https://www.example.com/a', 'https://example.com/a'],
		['fragment', 'https://example.com/a#b', 'https://example.com/a'],
		['longer fragment', 'https://example.com/a#bc', 'https://example.com/a#bd'],
		['final slash of a fragment', 'https://example.com/#/a/', 'https://example.com/#/a'],
		['port', 'https://example.com:8080/a', 'https://example.com/a'],
		['case of the path', 'https://example.com/A', 'https://example.com/a'],
		['case of the query', 'https://example.com?a=B', 'https://example.com?a=b'],
		['query', 'https://example.com?a=1', 'https://example.com?a=2'],
		['tag', 'https://example.com?utm_source=a', 'https://example.com'],
		['order of values', 'https://example.com?a=1&a=2', 'https://example.com?a=2&a=1'],
		['encoded slash', 'https://example.com/a%2Fb', 'https://example.com/a/b'],
		['encoded question mark', 'https://example.com/a%3Fb', 'https://example.com/a?b'],
		['encoded equals sign', 'https://example.com?a%3Db=c', 'https://example.com?a=b%3Dc'],
		['encoded ampersand', 'https://example.com?a=1%26b=2', 'https://example.com?a=1&b=2'],
		['encoded plus', 'https://example.com?a=1%2B2', 'https://example.com?a=1+2'],
		['letter in another encoding', 'https://example.com?q=%E4', 'https://example.com?q=%F6'],
		['user', 'https://ann@example.com', 'https://example.com'],
		['app', 'whatsapp://send?text=a', 'whatsapp://send?text=b'],
	])('%s: %s is not %s', (_what, one, other) => {
		expect(canonicalUrl(one)).not.toBe(canonicalUrl(other));
	});
});

test.each([
	['https://example.com/', { a: 'b c' }, 'https://example.com/?a=b%20c'],
	['https://example.com/?a=1&b=2#c', { a: 3 }, 'https://example.com/?b=2&a=3#c'],
	['https://example.com/?a=1&a=2', { a: 3 }, 'https://example.com/?a=3'],
	['https://example.com/?%61=1', { a: 3 }, 'https://example.com/?a=3'],
	['https://example.com/?x={y}', { a: "Ann's {z}" }, 'https://example.com/?x={y}&a=Ann%27s%20{z}'],
])('%s with %j is %s', (url, values, expected) => {
	expect(withQuery(url, values)).toBe(expected);
});
