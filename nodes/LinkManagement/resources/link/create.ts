// *Create*: the link, then its campaign, channel and QR code.

import { optionsField } from '../../../shared/operations/panelFields';
import type { Operation } from '../../../shared/operations/operation';
import { without } from '../../../shared/values/json';
import { additionalFields } from '../../resourceFields';
import { newLinkBody } from './body';
import { createLink } from './createLink';
import { addedLinkFields, inputFieldsOption, newLinkFields } from './linkFields';
import { createQrCode, qrCodeOf } from './ownQrCode';
import { linkRowOf } from './linkRow';
import { LINK_OUTPUT } from './writtenLink';
import { addToPlaces, createMissingOption, findPlaces, pickPlaces, placeFields } from './places';
import { withRedirectPage } from './redirect';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create short link',
	description: 'Create a short link for a long URL, and return its ID, short URL and alias',
	request: { method: 'POST', url: '/api/url/add' },
	check: pickPlaces,
	body: newLinkBody,
	failed: { outcome: 'failed' },
	output: LINK_OUTPUT,
	prepare(input) {
		const picked = pickPlaces(input);
		return async (request, context) => {
			const row = linkRowOf(context);
			const places = await findPlaces(picked, row);
			const wanted = { ...request, body: withRedirectPage(request.body, row) };
			const link = await createLink(wanted, places, undefined, row);
			if (link.outcome === 'created' && link.isInPlaces !== true)
				await addToPlaces(places, link, row);
			return [{ json: { ...without(link, 'isInPlaces'), ...(await qrCodeOf(link, row)) } }];
		};
	},
	fields: [
		...newLinkFields,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([createMissingOption, inputFieldsOption]),
	],
};
