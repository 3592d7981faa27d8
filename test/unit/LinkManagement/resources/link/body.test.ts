import { withTags } from '../../../../../dist/nodes/LinkManagement/resources/link/body.js';

const url = 'https://example.com/';
const utm = { utm_source: 'mail' };

test.each([
	['without tags', { url, metatitle: 'a' }, { url, metatitle: 'a' }],
	['with a tag', { url, utm }, { url: `${url}?utm_source=mail` }],
	[
		'with a tag that the URL has',
		{ url: `${url}?utm_source=a#b`, utm },
		{ url: `${url}?utm_source=mail#b` },
	],
	['of an app', { url: 'mailto:ann@example.com', utm }, { url: 'mailto:ann@example.com' }],
	['without a long URL, for whom tags wait', { utm }, { utm }],
	[
		'with other parameters',
		{ url, utm, parameters: [{ name: 'ref', value: 'a' }] },
		{ url: `${url}?utm_source=mail`, parameters: [{ name: 'ref', value: 'a' }] },
	],
	[
		'with a tag among other parameters',
		{
			url,
			utm,
			parameters: [
				{ name: 'ref', value: 'a' },
				{ name: 'utm_source', value: 'b' },
			],
		},
		{ url: `${url}?utm_source=mail`, parameters: [{ name: 'ref', value: 'a' }] },
	],
	// An empty list would remove the parameters that the link has.
	[
		'with a tag in place of the only parameter',
		{ url, utm, parameters: [{ name: 'utm_source', value: 'b' }] },
		{ url: `${url}?utm_source=mail` },
	],
])('a body %s', (_what, body, expected) => {
	expect(withTags(body)).toEqual(expected);
});
