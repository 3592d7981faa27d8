import { datetime } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { bodyOf, oneOf, REFUSED, TEXT } from '../fields.ts';
import type { Tables } from '../records.ts';
import { deletionRoute, type LinkRoutes, listRoute, quiet, updateRoute } from './routes.ts';

/** The same kinds in the same order. */
export const PIXEL_TYPES: Record<Dialect['pixelTypes'], readonly string[]> = {
	neutral: [
		...[
			'tagmanagerpixel',
			'analyticspixel',
			'socialapixel',
			'adspixel',
			'professionalnetworkpixel',
		],
		...['microblogpixel', 'retargetingpixel', 'qapixel', 'pinboard', 'searchengine'],
		...['messaging', 'forum', 'shortvideo'],
	],
	vendors: [
		...['gtmpixel', 'gapixel', 'fbpixel', 'adwordspixel', 'linkedinpixel', 'twitterpixel'],
		...['adrollpixel', 'quorapixel', 'pinterest', 'bing', 'snapchat', 'reddit', 'tiktok'],
	],
};

export function pixelRoutes({ pixels }: Tables, dialect: Dialect): LinkRoutes {
	const type = oneOf(PIXEL_TYPES[dialect.pixelTypes]);
	return {
		'GET /api/pixels': listRoute('pixels', pixels),
		'POST /api/pixel/add': {
			body: bodyOf({ type, name: TEXT, tag: TEXT }, 'type', 'name', 'tag'),
			answer: ({ accountId, body, now }) => ({
				id: pixels.add(accountId, { ...body, date: datetime(now) }),
			}),
		},
		'PUT /api/pixel/:id/update': quiet(
			updateRoute(pixels, bodyOf({ type: REFUSED, name: TEXT, tag: TEXT }, 'tag')),
			dialect,
		),
		'DELETE /api/pixel/:id/delete': quiet(deletionRoute(pixels), dialect),
	};
}
