import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { maxWaitOption, optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/operation';
import type { Form } from '../../../shared/operations/form';
import type { Item } from '../../../shared/operations/item';
import type { ItemRequest } from '../../../shared/operations/operationPlan';
import type { ItemResult } from '../../../shared/operations/steps';
import { type Failure, toFailure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { additionalFields } from '../../fields';
import { linkOperation } from '../../results';
import { withDomain, withPage, withTags } from './body';
import { enteredLink, mappedColumns } from './columns';
import {
	addedLinkFields,
	columnsNotice,
	ignoredColumnsOption,
	inputFieldsOption,
	mappingModeField,
	newLinkFields,
	utmFormatOption,
} from './fields';
import { createQrCode, noQrCode, qrCodeOf } from './ownQrCode';
import { addTo, foundPlaces, placeFields, type WantedPlace, wantedPlaces } from './places';
import { createdLink, mayBeTaken, NO_LINK } from './result';

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

export const linkCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create short link',
	description: 'Create a short link for a long URL',
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		entered: enteredLink,
		mappedColumns,
		noResult: (_why, parameters) => ({ ...NO_LINK, ...noQrCode(parameters) }),
		body: withTags,
		check: wantedPlaces,
		perform: createLink,
	}),
	fields: [
		mappingModeField,
		columnsNotice,
		...newLinkFields,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([
			ignoredColumnsOption,
			ifAliasTaken,
			inputFieldsOption,
			maxWaitOption,
			utmFormatOption,
		]),
	],
};

async function createLink(
	{ body, ...request }: ItemRequest,
	item: Item,
	wanted: readonly WantedPlace[],
): Promise<ItemResult[]> {
	const places = await foundPlaces(wanted, item);
	const sent = { ...request, body: await withDomain(withPage(body, item), item) };
	const link = await item.step('create', async () => await createFirst(sent, item));
	for (const place of places) await addTo(place, link, item);
	return [{ json: { ...link, ...(await qrCodeOf(link, true, item)) } }];
}

/** The aliases to try if the service refuses the entered one; undefined lets the service choose. */
function otherAliases(custom: unknown, { parameter }: Form): Array<string | undefined> {
	const alias = textIn(custom);
	const { ifAliasTaken: choice } = mapIn(parameter('options'));
	if (alias === undefined) return [];
	if (choice === 'suffix') return [2, 3, 4].map((number) => `${alias}-${number}`);
	return choice === 'random' ? [undefined] : [];
}

/** Sends the create with one alias after the other. If all are refused, the first refusal is the error. */
async function createFirst(request: ItemRequest, { send, form }: Item): Promise<IDataObject> {
	const refusals: Failure[] = [];
	const { custom: entered, ...others } = request.body;
	for (const custom of [textIn(entered), ...otherAliases(entered, form)]) {
		const body = custom === undefined ? others : { ...others, custom };
		try {
			return await createdLink((await send({ ...request, body })).body, body, send);
		} catch (error) {
			const failure = toFailure(error);
			if (!mayBeTaken(failure)) throw failure;
			refusals.push(failure);
		}
	}
	const failure = toFailure(refusals[0]);
	const isTaken = refusals.length === 1 && saysTaken(failure.message);
	throw isTaken ? failure.with({ advice: IF_TAKEN }) : failure;
}

const IF_TAKEN =
	'Set the option If Alias Is Taken, or use Create or Update to update the link that has the alias';

/** Only for the advice: services say it in many ways, and languages. */
const saysTaken = (message: string): boolean => /taken|exist|in use|already|used/i.test(message);
