// *Create*: the link, then its campaign, channel and QR code.

import type { INodeProperties } from 'n8n-workflow';

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
import { utmFormatOption } from './utm';

const ifAliasTaken: INodeProperties = {
	displayName: 'If Alias Is Taken',
	name: 'ifAliasTaken',
	type: 'options',
	options: [
		{
			name: 'Add a Number',
			value: 'suffix',
			description: 'Try the alias with -2, -3 and -4 after it',
		},
		{ name: 'Fail', value: 'error', description: 'Fail with the error of the service' },
		{ name: 'Use a Random Alias', value: 'random', description: 'Try again without an alias' },
	],
	default: 'error',
	description: 'What to do if the service refuses the custom alias',
};

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create short link',
	description: 'Create a short link for a long URL, and return its ID, short URL and alias',
	request: { method: 'POST', url: '/api/url/add' },
	body: newLinkBody,
	failed: { outcome: 'failed' },
	output: LINK_OUTPUT,
	prepare(context) {
		const row = linkRowOf(context);
		const picked = pickPlaces(row);
		return async (request) => {
			const places = await findPlaces(picked, row);
			const wanted = { ...request, body: withRedirectPage(request.body, row) };
			const link = await createLink(wanted, places, row);
			if (link.outcome === 'created' && link.isInPlaces !== true)
				await addToPlaces(places, link, row);
			return [{ json: { ...without(link, 'isInPlaces'), ...(await qrCodeOf(link, row)) } }];
		};
	},
	fields: [
		...newLinkFields,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([createMissingOption, ifAliasTaken, inputFieldsOption, utmFormatOption]),
	],
};
