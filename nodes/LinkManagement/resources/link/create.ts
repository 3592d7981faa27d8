import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Send } from '../../../shared/http/request';
import { isSuccess } from '../../../shared/http/response';
import { maxWaitOption, optional, optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import type { Form } from '../../../shared/operations/form';
import type { Item, ItemRequest } from '../../../shared/operations/operationPlan';
import type { ItemResult } from '../../../shared/operations/steps';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, pickedValue, textIn, without } from '../../../shared/values/json';
import { isBlank } from '../../../shared/values/input';
import { webAddressIn } from '../../../shared/values/webAddress';
import { additionalFields } from '../../fields';
import { campaignLocator, channelLocator } from '../../locators';
import { linkOperation, membersOf, requireId } from '../../results';
import { withPage, withTags } from './body';
import { enteredLink, mappedColumns } from './columns';
import {
	addedLinkFields,
	columnsNotice,
	inputFieldsOption,
	mappingModeField,
	newLinkFields,
	utmFormatOption,
} from './fields';
import { createdLink } from './result';

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

/** Where a new link can be put. */
const DESTINATIONS = [
	{
		what: 'campaign',
		field: { ...optional(campaignLocator), description: 'The campaign to add the link to' },
		path: (campaign: number, link: number) => `/api/campaign/${campaign}/assign/${link}`,
	},
	{
		what: 'channel',
		field: { ...optional(channelLocator), description: 'The channel to add the link to' },
		path: (channel: number, link: number) => `/api/channel/${channel}/assign/links/${link}`,
	},
];

const createQrCode: INodeProperties = {
	displayName: 'Create QR Code',
	name: 'createQrCode',
	type: 'boolean',
	default: true,
	description:
		'Whether to also create a QR code for the short URL. The column qr_code holds the address of its picture.',
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
		body: withTags,
		check: placesIn,
		perform: createLink,
	}),
	fields: [
		mappingModeField,
		columnsNotice,
		...newLinkFields,
		additionalFields([...addedLinkFields, ...DESTINATIONS.map(({ field }) => field), createQrCode]),
		optionsField([ifAliasTaken, inputFieldsOption, maxWaitOption, utmFormatOption]),
	],
};

type Destination = (typeof DESTINATIONS)[number];

/** The destinations that were picked. */
function placesIn(form: Form): Destination[] {
	const added = mapIn(form.read('additionalFields'));
	const wanted = DESTINATIONS.filter(({ field }) => !isBlank(pickedValue(added[field.name])));
	for (const { field } of wanted) form.pick(field.name, added[field.name]);
	return wanted;
}

async function createLink(
	{ body, ...request }: ItemRequest,
	item: Item,
	destinations: readonly Destination[],
): Promise<ItemResult[]> {
	const { form, id, step } = item;
	const sent = { ...request, body: withPage(body, item) };
	const link = await step(
		'create',
		async (send) => await createFirst(sent, send, otherAliases(body.custom, form)),
	);
	for (const { what, field, path } of destinations) {
		const place = path(id(field.name), requireId(link));
		await step(what, async (send) => await addTo(what, place, link, send));
	}
	return [{ json: { ...link, ...(await qrCodeOf(link, item)) } }];
}

async function addTo(
	what: string,
	path: string,
	link: IDataObject,
	send: Send,
): Promise<IDataObject> {
	try {
		return (await send({ method: 'POST', path })).body;
	} catch (error) {
		// A retry may send it again: it does no harm.
		throw incomplete(link, `not added to the ${what}`, error).with({ mayRetry: true });
	}
}

/** The columns of the link's QR code; null in a row that wants none. */
async function qrCodeOf(link: IDataObject, { form, step, connection }: Item): Promise<IDataObject> {
	const { createQrCode: isWanted } = mapIn(form.read('additionalFields'));
	if (isWanted === undefined) return {};
	if (isWanted === false) return { qr_code_id: null, qr_code: null };
	const create = async (send: Send): Promise<IDataObject> => {
		const data = textIn(link.shorturl);
		if (data === undefined) {
			throw new Failure({ kind: 'unreadable', message: 'the response has no short URL' });
		}
		const body = { type: 'link', data };
		return membersOf((await send({ method: 'POST', path: '/api/qr/add', body })).body);
	};
	const code = await step('QR code', create).catch((error: unknown) => {
		throw incomplete(link, 'without its QR code', error);
	});
	const picture = webAddressIn(code.link, `${connection.baseUrl}/`);
	return { qr_code_id: idIn(code.id) ?? null, qr_code: picture ?? null };
}

/** A failure after the link was created, which says so. */
function incomplete({ id, shorturl }: IDataObject, what: string, error: unknown): Failure {
	const failure = toFailure(error);
	const link = `The link ${textIn(shorturl) ?? ''} (ID ${idIn(id) ?? 'not known'})`;
	return failure.with({ message: `${link} was created, but ${what}: ${failure.message}` });
}

/** The aliases to try if the service refuses the entered one; undefined lets the service choose. */
function otherAliases(custom: unknown, { read }: Form): Array<string | undefined> {
	const alias = textIn(custom);
	const { ifAliasTaken: choice } = mapIn(read('options'));
	if (alias === undefined) return [];
	if (choice === 'suffix') return [2, 3, 4].map((number) => `${alias}-${number}`);
	return choice === 'random' ? [undefined] : [];
}

/** Sends the create with one alias after the other. If all are refused, the first refusal is the error. */
async function createFirst(
	request: ItemRequest,
	send: Send,
	aliases: ReadonlyArray<string | undefined>,
): Promise<IDataObject> {
	const refusals: Failure[] = [];
	for (const custom of [textIn(request.body.custom), ...aliases]) {
		const others = without(request.body, 'custom');
		const body = custom === undefined ? others : { ...others, custom };
		try {
			return createdLink((await send({ ...request, body })).body, { body });
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

/** Services say in many ways that an alias is taken, so only the status counts. */
const mayBeTaken = ({ kind, httpCode = 0 }: Failure): boolean =>
	kind === 'refused' && (isSuccess(httpCode) || [400, 409, 422].includes(httpCode));
