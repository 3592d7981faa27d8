import {
	parseAddress,
	parseDomain,
	parseWebAddress,
} from '../../../../dist/nodes/LinkManagement/values/address.js';
import { aliasIn } from '../../../../dist/nodes/LinkManagement/values/shortUrl.js';
import { webAddressIn } from '../../../../dist/nodes/shared/values/webAddress.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

const read = (value: unknown) => parseAddress('URL', value);
const PAGE = 'https://example.com/a?b=1&c=2';

testReaders({
	'an address with entities of HTML': {
		read,
		takes: [
			...all(
				['&amp;', '&#038;', '&#38;', '&#x26;', '&amp;amp;', '&#38;amp;'].map((and) =>
					PAGE.replace('&', and),
				),
				PAGE,
			),
			['https://example.com/it&#039;s', 'https://example.com/it%27s'],
			...same('https://example.com/?copy=1&copy;', 'https://example.com/?a&amp'),
		],
	},
	'an address with an apostrophe': {
		read,
		takes: [
			["https://example.com/it's?a='b'#'", 'https://example.com/it%27s?a=%27b%27#%27'],
			["https://example.com/{it's}", "https://example.com/{it's}"],
		],
	},
	'an address with backslashes': {
		read,
		takes: [
			...all(
				['https://example.com\\a\\b', 'https:\\\\example.com\\a/b'],
				'https://example.com/a/b',
			),
			['example.com\\a', 'https://example.com/a'],
			['https://example.com/?a=\\b', 'https://example.com/?a=\\b'],
		],
	},
	'an address in the format of another program': {
		read,
		refuses: [
			...['https://example.com/a?b=1\\u0026c=2', 'https:\\/\\/example.com\\/a?b=1&c=2'],
			...['https://example.com/a?b=3D1&c=3D2', `<${PAGE}|Text>`, `<${PAGE}>`, `&lt;${PAGE}&gt;`],
			...['https:\\/\\/example.com\\/a?b=1\\u0026amp;c=2', 'https://example.com\\/a?b=1&amp;c=2'],
			...['https://example.com/a?b&#x3D;1&c&#61;2', 'https:&#x2F;&#x2F;example.com&#47;a?b=1&c=2'],
			...[`${PAGE}&nbsp;`, `${PAGE}<br>`, `${PAGE}</a>`, `${PAGE}">Text</a>`, `${PAGE}&gt;`],
			...[`<a href="${PAGE}">Text</a>`, encodeURIComponent(PAGE), 'https:// example.com/a?b=1&c=2'],
		],
		saying:
			/^'URL' must be a web address, .+\. Did you mean "https:\/\/example\.com\/a\?b=1&c=2"\?$/,
	},
	'what only looks like it': {
		read,
		takes: [
			...same('https://example.com/?view=3D', 'https://example.com/?a=b&c=3D1'),
			...same('https://example.com/?copy=1&copy=2&lang=de', 'https://example.com/?a=<%= b > c %>'),
			...same('https://example.com/?a=[name]', 'https://example.com/{{placeholder}}'),
			...same('https://undefined.com/undefined', 'https://null.example/null?a=undefined'),
			['https://example.com/?price>5', 'https://example.com/?price%3E5'],
		],
	},
	'an address with a word for nothing': {
		read,
		refuses: [
			...['https://example.com/?a=[object Object]', 'https://undefined/a', 'https://null'],
			...['undefinedhttps://example.com', 'null/a'],
		],
		saying: /^'URL' has a word that programs write for no value: ".+"\. Check/,
	},
	'a blank in a host': {
		read,
		refuses: [
			...['https://exa mple.com', '\ufeffhttps://example.com is it'],
			...['www.exa mple.com', 'exa mple.com/a', 'www. example.com/a'],
		],
		saying: /^'URL' has a blank in its host: "[^"{]+"\. Remove/,
	},
	'a number or a date of another column': {
		read,
		refuses: ['3.50', '1.2', '31.12.30', '3,50'],
		saying: /^'URL' must be a web address, but is/,
	},
	'a mistyped scheme': {
		read,
		refuses: [
			...['htp://', 'hxxps://', 'ahttps://', 'httpsa://', 'gttps://', 'hrtps://', 'htrps://'],
			...['httos://', 'www.https://', 'https: //', 'https;//', 'https,//', 'https.//', 'https//'],
			...['https:/', 'https:///', 'https//:', 'HTTPS//', 'https://http://', 'https:https://'],
		].map((scheme) => `${scheme}example.com/a`),
		saying: /^'URL' must be a web address, .+\. Did you mean "https?:\/\/example\.com\/a"\?$/,
	},
	'a host with a sign too many': {
		read,
		refuses: ['https://example..com/a', 'https://.example.com/a', 'https://example,.com/a'],
		saying: /^'URL' must be a web address, .+\. Did you mean "https:\/\/example\.com\/a"\?$/,
	},
	'an address without its scheme': {
		read,
		takes: [
			...all(['//example.com/a', 'example.com/a', 'example.com\\a'], 'https://example.com/a'),
			['example.com?a=1', 'https://example.com?a=1'],
			['example.com#a', 'https://example.com#a'],
			['127.0.0.1:80/a', 'https://127.0.0.1:80/a'],
		],
	},
	'an address that runs code or shows files': {
		read,
		refuses: ['javascript:a', 'data:text/html,a', 'vbscript:a', 'file:///a', 'blob:https://a.de/b'],
		saying: /^'URL' must not be the address "/,
	},
	'an address in quotes': {
		read,
		takes: all(
			[`"${PAGE}"`, `'${PAGE}'`, `“${PAGE}”`, `„${PAGE}“`, `« ${PAGE} »`, `""${PAGE}""`],
			PAGE,
		),
		refuses: [`"${PAGE}`, '""', '"no address"'],
		saying: /^'URL' must be a web address/,
	},
	'an address outside ASCII': {
		read,
		takes: [
			['https://example.com/é/😀 ü', 'https://example.com/%C3%A9/%F0%9F%98%80%20%C3%BC'],
			['https://example.com/<a>"b"', 'https://example.com/%3Ca%3E%22b%22'],
		],
	},
	'several addresses': {
		read,
		refuses: [
			...['https://a.de  https://b.de', 'HTTPS://A.DE;WWW.B.DE', 'www.a.de|https://b.de'],
			...[
				';https://a.de;https://b.de',
				'https://a.de,https://b.de',
				'https://a.de/?a=1 https://b.de/?text=c',
			],
		],
		saying: /^'URL' has more than one address: ".+"\. Enter one of them, such as "[^ ]+"/,
	},
	'one that shares another': {
		read,
		takes: [
			['https://wa.me/?text=see https://a.de', 'https://wa.me/?text=see%20https://a.de'],
			['https://wa.me/?a=b&Body=https://a.de', 'https://wa.me/?a=b&Body=https://a.de'],
			...same('https://a.de/?to=b,https://b.de'),
		],
	},
	'an address behind the name of its column': {
		read,
		refuses: ['URL:https://example.com/a', 'link:https://example.com/a'],
		saying: /Did you mean "https:\/\/example\.com\/a"\?$/,
	},
	'an address of an app': {
		read,
		takes: same('mailto:ann@example.com', 'Intent://a', 'a+b.c-1:d'),
	},
	'a host that cannot be one': {
		read,
		refuses: [
			...[`https://${'a.'.repeat(127)}com`, `https://${'a'.repeat(64)}.com`],
			...['https://a*b.com', 'https://*a.com', 'https://a.b*.com', 'https://a..com'],
		],
		saying: /^'URL' must be a web address/,
	},
	'a domain that stands for none': {
		read: (value) => parseDomain('Domain', value),
		refuses: ['-', 'n/a', 'none'],
		saying: /^'Domain' must be a web address, but is ".+"\. Enter/,
	},
});

/** To order its marks takes minutes, in the parser of addresses. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const url = `https://a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}.example.com`;
	expect([webAddressIn(url), aliasIn(url)]).toEqual([undefined, undefined]);
	for (const parse of [parseAddress, parseWebAddress, parseDomain]) {
		expect(() => parse('URL', url)).toThrow('too long');
		expect(() => parse('URL', url.slice(0, 9000))).toThrow('web address');
	}
});
