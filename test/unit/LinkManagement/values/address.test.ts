import {
	parseAddress,
	parseDomain,
	parseWebAddress,
} from '../../../../dist/nodes/LinkManagement/values/address.js';
import { webAddressIn } from '../../../../dist/nodes/shared/values/webAddress.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

/** What becomes of an address that is not sent as it is; what is, `legitimate.test.ts` lists. */

const read = (value: unknown) => parseAddress('URL', value);
const PAGE = 'https://example.com/a?b=1&c=2';

testReaders({
	'an address with entities of HTML': {
		read,
		takes: [
			...all(
				['&amp;', '&#038;', '&#38;'].map((and) => PAGE.replace('&', and)),
				PAGE,
			),
			['https://example.com/it&#039;s', 'https://example.com/it%27s'],
			...same('https://example.com/?copy=1&copy;', 'https://example.com/?a&amp'),
		],
	},
	'an address without its scheme': {
		read,
		takes: [
			...all(['//example.com/a', 'example.com/a', ' example.com/a\u200b'], 'https://example.com/a'),
			['example.com?a=1', 'https://example.com?a=1'],
			['example.com#a', 'https://example.com#a'],
			['example.com:8080/a?b', 'https://example.com:8080/a?b'],
			['127.0.0.1:80/a', 'https://127.0.0.1:80/a'],
			['größe.example', 'https://xn--gre-6ka8i.example'],
		],
	},
	'what no address may hold': {
		read,
		takes: [
			['https://example.com/é/😀 ü', 'https://example.com/%C3%A9/%F0%9F%98%80%20%C3%BC'],
			['https://example.com/<a>"b"', 'https://example.com/%3Ca%3E%22b%22'],
			["https://example.com/it's?a='b'#'", 'https://example.com/it%27s?a=%27b%27#%27'],
			['https://ann@größe.example:81/ß#ä', 'https://ann@xn--gre-6ka8i.example:81/%C3%9F#%C3%A4'],
			['mailto:a@b.example?subject=Größe 7', 'mailto:a@b.example?subject=Gr%C3%B6%C3%9Fe%207'],
			['https://wa.me/?text=see https://a.de', 'https://wa.me/?text=see%20https://a.de'],
		],
	},
	'placeholders of mail and ad tools, beside which it is encoded': {
		read,
		takes: [
			...['{x y}', '{{ x }}', '{a{b c}d}', '[x y]', '%%x y%%', '*|x y|*', '<%= x %>', '${x y}'].map(
				(each) => [`https://example.com/a b?c=${each}`, `https://example.com/a%20b?c=${each}`],
			),
			...['{x', '[x', '%x%', '|x|', '__x__'].map((each) => [
				`https://example.com/?a=${each} b`,
				`https://example.com/?a=${each}%20b`,
			]),
			["https://example.com/{it's}'", "https://example.com/{it's}%27"],
		] as Array<[string, string]>,
	},
	'an address in quotes or in the format of another program': {
		read,
		refuses: [
			...[`"${PAGE}"`, `<${PAGE}>`, `“${PAGE}”`, encodeURIComponent(PAGE), 'https://exa mple.com'],
			...[`<a href="${PAGE}">Text</a>`, 'https:\\/\\/example.com', 'https:\\\\example.com'],
		],
		saying: /^'URL' must be a web address, but is ".+"\. Enter a complete URL, such as/,
	},
	'a web address': {
		read: (value) => parseWebAddress('Image', value),
		takes: same('https://example.com/a.png'),
		refuses: ['mailto:ann@example.com', 'data:image/png;base64,a', 'whatsapp://send?text=Hi'],
		saying: /^'Image' must be a web address/,
	},
	'a domain': {
		read: (value) => parseDomain('Domain', value),
		takes: [
			...all(['go.example.com', 'go.example.com/', ' go.example.com//'], 'go.example.com'),
			['https://go.example.com/', 'https://go.example.com'],
		],
		refuses: ['-', 'n/a', 'none'],
		saying: /^'Domain' must be a web address, but is/,
	},
});

/** To order its marks takes minutes, in the parser of addresses. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const url = `https://a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}.example.com`;
	expect(webAddressIn(url)).toBeUndefined();
	for (const parse of [parseAddress, parseWebAddress, parseDomain]) {
		expect(() => parse('URL', url)).toThrow('too long');
		expect(() => parse('URL', url.slice(0, 9000))).toThrow('web address');
	}
});
