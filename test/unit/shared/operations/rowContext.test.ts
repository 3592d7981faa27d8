import * as fc from 'fast-check';

import { fillPath } from '../../../../dist/nodes/shared/operations/rowContext.js';
import { parseId } from '../../../../dist/nodes/shared/values/input.js';

test('ids fill a path', () => {
	const path = fillPath('/api/campaign/:campaignId/assign/:linkId', { campaignId: 42, linkId: 7 });
	expect(path).toBe('/api/campaign/42/assign/7');
});

test('a path is never another one, whatever a parameter holds', () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			try {
				const path = fillPath('/api/url/:linkId', { linkId: parseId('linkId', value) });
				expect(path).toMatch(/^\/api\/url\/[1-9]\d*$/);
			} catch (error) {
				expect(String(error)).toMatch(/positive whole number/);
			}
		}),
	);
});
