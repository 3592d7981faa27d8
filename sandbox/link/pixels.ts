import { datetime } from '../clock.ts';
import { bodyOf, oneOf, REFUSED, TEXT } from '../fields.ts';
import type { Tables } from '../records.ts';
import { deletionRoute, type LinkRoutes, listRoute, updateRoute } from './routes.ts';

const PIXEL_TYPES = [
	'tagmanagerpixel',
	'analyticspixel',
	'socialapixel',
	'adspixel',
	'professionalnetworkpixel',
	'microblogpixel',
	'retargetingpixel',
	'qapixel',
	'pinboard',
	'searchengine',
	'messaging',
	'forum',
	'shortvideo',
];

export const pixelRoutes = ({ pixels }: Tables): LinkRoutes => ({
	'GET /api/pixels': listRoute('pixels', pixels),
	'POST /api/pixel/add': {
		body: bodyOf({ type: oneOf(PIXEL_TYPES), name: TEXT, tag: TEXT }, 'type', 'name', 'tag'),
		answer: ({ accountId, body, now }) => ({
			id: pixels.add(accountId, { ...body, date: datetime(now) }),
		}),
	},
	'PUT /api/pixel/:id/update': updateRoute(
		pixels,
		bodyOf({ type: REFUSED, name: TEXT, tag: TEXT }, 'tag'),
	),
	'DELETE /api/pixel/:id/delete': deletionRoute(pixels),
});
