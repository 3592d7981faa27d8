import { datetime } from '../clock.ts';
import { Failure } from '../failure.ts';
import { readRequiredText, readText, readWord, refuseField } from '../input.ts';
import { Records } from './records.ts';
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
		pixels.list('/api/pixels', 'pixels'),
		{
			method: 'POST',
			path: '/api/pixel/add',
			answer({ accountId, body, now }) {
				const id = pixels.add(accountId, {
					type: readWord(body, 'type', PIXEL_TYPES),
					name: readRequiredText(body, 'name'),
					tag: readRequiredText(body, 'tag'),
					date: datetime(now),
				});
				return { id };
			},
		},
		{
			method: 'PUT',
			path: '/api/pixel/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'pixel');
				refuseField(call.body, 'type');
				const name = readText(call.body, 'name');
				if (name?.trim() === '') throw new Failure(422, 'name must not be empty.');
				pixels.change(call.accountId, id, { name, tag: readRequiredText(call.body, 'tag') });
				return { message: 'The pixel has been updated.' };
			},
		},
		pixels.deletion('/api/pixel/:id/delete'),
	];
}
