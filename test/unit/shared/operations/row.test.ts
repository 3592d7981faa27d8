import * as fc from 'fast-check';

import { seeded } from '../../../seeds.ts';
import { fillPath } from '../../../../dist/nodes/shared/operations/row.js';
import { parseId } from '../../../../dist/nodes/shared/values/input.js';

test('ids and options fill a path', () => {
	const path = fillPath('/api/url/:linkId/:type', { linkId: 42, type: 'a/../b?c' });
	expect(path).toBe('/api/url/42/a%2F..%2Fb%3Fc');
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
		seeded(100),
	);
});
