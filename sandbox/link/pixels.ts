import { datetime } from '../clock.ts';
import { bodyOf, FILLED, oneOf, REFUSED } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';

export const PIXEL_TYPES = [
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
			body: bodyOf({ type: oneOf(PIXEL_TYPES), name: FILLED, tag: FILLED }, 'type', 'name', 'tag'),
			answer({ accountId, body: { type, name, tag }, now }) {
				return { id: pixels.add(accountId, { type, name, tag, date: datetime(now) }) };
			},
		},
		{
			method: 'PUT',
			path: '/api/pixel/:id/update',
			body: bodyOf({ type: REFUSED, name: FILLED, tag: FILLED }, 'tag'),
			answer(call) {
				const pixel = pixels.get(call.accountId, idIn(call, 'id', 'pixel'));
				const { name, tag } = call.body;
				pixels.change(pixel, { name, tag });
				return { message: 'The pixel has been updated.' };
			},
		},
		deletionRoute(pixels, '/api/pixel/:id/delete'),
	];
}
