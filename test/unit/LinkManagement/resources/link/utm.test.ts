import { withTags } from '../../../../../dist/nodes/LinkManagement/resources/link/utm.js';

const url = 'https://example.com/';
const tagged = 'https://example.com/?utm_source=mail';
const utm = { utm_source: 'mail' };
const ref = { name: 'ref', value: 'a' };

test.each([
	['without tags', { url, metatitle: 'a' }, { url, metatitle: 'a' }],
	['with a tag', { url, utm }, { url: tagged }],
	['with a tag that the URL has', { url: `${url}?utm_source=a#b`, utm }, { url: `${tagged}#b` }],
	['of an app', { url: 'mailto:ann@example.com', utm }, { url: 'mailto:ann@example.com' }],
	['without a long URL, for whom tags wait', { utm }, { utm }],
	['with other parameters', { url, utm, parameters: [ref] }, { url: tagged, parameters: [ref] }],
])('a body %s', (_what, body, expected) => {
	expect(withTags(body)).toEqual(expected);
});
