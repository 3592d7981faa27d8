import { datetime } from '../clock.ts';
import { bodyOf, oneOf, REFUSED, TEXT } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute, updateRoute } from './lists.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

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
] as const;

export function pixelRoutes({ database }: LinkContext): LinkRoute[] {
	const pixels = new Records(database, 'pixels', 'pixel');

	return [
		listRoute(database, pixels, '/api/pixels', 'pixels'),
		{
			method: 'POST',
			path: '/api/pixel/add',
			body: bodyOf({ type: oneOf(PIXEL_TYPES), name: TEXT, tag: TEXT }, 'type', 'name', 'tag'),
			answer: ({ accountId, body, now }) => ({
				id: pixels.add(accountId, { ...body, date: datetime(now) }),
			}),
		},
		updateRoute(
			pixels,
			'/api/pixel/:id/update',
			bodyOf({ type: REFUSED, name: TEXT, tag: TEXT }, 'tag'),
		),
		deletionRoute(pixels, '/api/pixel/:id/delete'),
	];
}
