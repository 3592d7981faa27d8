import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Stage, byId, like, onStage } from '../support.ts';

/** What cannot be sent is refused before any request, naming the field and the value: one row a field. */

const stage = onStage(new Stage());

const VALUE = '={{ $json.value }}';

interface BadInput {
	operation: string;
	/** One of them holds the value. */
	parameters: INodeParameters;
	/** Each value with the message about it. */
	refused: Array<[value: unknown, message: unknown]>;
}

const saying = (message: string): unknown => expect.stringContaining(message);

const ID_ADVICE = 'Pick one from the list, or give its id as a number.';
const idOf = (label: string): BadInput['refused'] =>
	[
		...['0', '-1', '1.5', '1e3', '0x1', 'abc', '..', '1/delete', '1?x=1', '%31', 7.5, true],
		...['', ' '],
	].map((value) => {
		const told = value === '' ? 'empty' : `"${String(value)}"`;
		return [value, `${label} must be a positive whole number, but is ${told}. ${ID_ADVICE}`];
	});
const refusing =
	(what: string, ...values: Array<string | number | boolean | null>) =>
	(label: string): BadInput['refused'] =>
		values.map((value) => {
			const told = value === '' || value === null ? 'empty' : `"${String(value)}"`;
			return [value, saying(`${label} must be ${what}, but is ${told}`)];
		});
const colorOf = refusing('a color', 'red', 'rgb(1,2)', '12');
const addressOf = refusing('a web address', 'example.com', 'javascript:alert(1)', 7);
const dateOf = refusing('a date and time', 'tomorrow', '2026-02-30', true);
const flagOf = refusing('true or false', 'maybe', 2);
const emptyOf = (label: string): BadInput['refused'] =>
	['', '  ', null].map((value) => [value, saying(`${label} is empty`)]);

/** On an update, null leaves a field as it is, and nothing else is given here. */
const clearedOf = (label: string): BadInput['refused'] => [
	['', saying(`${label} is empty`)],
	['  ', saying(`${label} is empty`)],
	[null, saying('There is nothing to update')],
];

const url = 'https://example.com';
const TEXT = { qrType: 'text', text: 'x' };
const UPDATED_LINK = { linkId: byId(1) };
const target = (name: string) => ({
	target: [{ [name]: { __rl: true, mode: 'name', value: 'x' }, link: VALUE }],
});
const nothing: BadInput['refused'] = [
	[0, saying('There is nothing to update. Add at least one field under Update Fields')],
];

const field = (
	operation: string,
	parameters: INodeParameters,
	refused: BadInput['refused'],
): BadInput => ({ operation, parameters, refused });
const added = (
	operation: string,
	name: string,
	refused: BadInput['refused'],
	parameters: INodeParameters = {},
	value: INodeParameters[string] = VALUE,
): BadInput => {
	const collection = operation.endsWith('update') ? 'updateFields' : 'additionalFields';
	return { operation, parameters: { ...parameters, [collection]: { [name]: value } }, refused };
};

const ID = byId(VALUE);

const LINK: BadInput[] = [
	added('account.update', 'email', clearedOf('Email')),
	field('account.update', { updateFields: {} }, nothing),

	field('campaign.assignLink', { campaignId: ID, linkId: byId(1) }, idOf('Campaign ID')),
	field('campaign.assignLink', { linkId: ID, campaignId: byId(1) }, idOf('Link ID')),
	added('campaign.create', 'public', flagOf('Public'), { name: 'x' }),
	field('campaign.delete', { campaignId: ID }, idOf('Campaign ID')),
	field('campaign.update', { campaignId: ID, name: 'x' }, idOf('Campaign ID')),
	field('campaign.update', { campaignId: byId(1), name: VALUE }, emptyOf('Name')),
	added('campaign.update', 'public', flagOf('Public'), { campaignId: byId(1), name: 'x' }),

	field(
		'channel.assignItem',
		{ channelId: ID, itemType: 'links', itemId: byId(1) },
		idOf('Channel ID'),
	),
	field(
		'channel.assignItem',
		{ itemId: ID, itemType: 'links', channelId: byId(1) },
		idOf('Item ID'),
	),
	field('channel.assignItem', { itemType: VALUE, channelId: byId(1), itemId: byId(1) }, [
		['../links', saying('Item Type must be one of links, bio, qr, but is "../links"')],
	]),
	field('channel.create', { name: VALUE }, emptyOf('Name')),
	added('channel.create', 'color', colorOf('Color'), { name: 'x' }),
	added('channel.create', 'starred', flagOf('Starred'), { name: 'x' }),
	field('channel.delete', { channelId: ID }, idOf('Channel ID')),
	field('channel.getItems', { channelId: ID }, idOf('Channel ID')),
	added('channel.update', 'starred', idOf('Channel ID'), { channelId: ID }, true),
	added('channel.update', 'color', colorOf('Color'), { channelId: byId(1) }),
	added('channel.update', 'starred', flagOf('Starred'), { channelId: byId(1) }),
	field('channel.update', { channelId: byId(1), updateFields: {} }, nothing),

	field('domain.create', { domain: VALUE }, emptyOf('Domain')),
	field('domain.create', { domain: VALUE }, addressOf('Domain')),
	added('domain.create', 'rootRedirect', addressOf('Root Redirect'), { domain: url }),
	added('domain.create', 'notFoundRedirect', addressOf('Not Found Redirect'), { domain: url }),
	field('domain.delete', { domainId: ID }, idOf('Domain ID')),
	added('domain.update', 'rootRedirect', idOf('Domain ID'), { domainId: ID }, ''),
	added('domain.update', 'rootRedirect', addressOf('Root Redirect'), { domainId: byId(1) }),
	added('domain.update', 'notFoundRedirect', addressOf('Not Found Redirect'), {
		domainId: byId(1),
	}),
	field('domain.update', { domainId: byId(1), updateFields: {} }, nothing),

	field('link.create', { url: VALUE }, emptyOf('URL')),
	field('link.create', { url: VALUE }, addressOf('URL')),
	added('link.create', 'metaImage', addressOf('Meta Image'), { url }),
	added('link.create', 'expiry', dateOf('Expiry'), { url }),
	...['location', 'device', 'language'].map((name) =>
		added(
			'link.create',
			`${name === 'location' ? 'geo' : name}Targets`,
			addressOf('The link of a target'),
			{ url },
			target(name),
		),
	),
	field(
		'link.create',
		{ url, additionalFields: { redirectType: 'customSplash', splashPageId: ID } },
		idOf('Splash Page ID'),
	),
	field(
		'link.create',
		{ url, additionalFields: { redirectType: 'overlay', ctaOverlayId: ID } },
		idOf('CTA Overlay ID'),
	),
	field('link.create', { url, additionalFields: { redirectType: 'overlay' } }, [
		[0, saying('CTA Overlay ID must be a positive whole number')],
	]),
	field('link.delete', { linkId: ID }, idOf('Link ID')),
	field('link.get', { linkId: ID }, idOf('Link ID')),
	added('link.update', 'metaTitle', idOf('Link ID'), { linkId: ID }, 'x'),
	added('link.update', 'url', clearedOf('URL'), UPDATED_LINK),
	added('link.update', 'url', addressOf('URL'), UPDATED_LINK),
	added('link.update', 'expiry', dateOf('Expiry'), UPDATED_LINK),
	field('link.update', { ...UPDATED_LINK, updateFields: {} }, nothing),

	field('pixel.create', { pixelType: 'forum', name: VALUE, tag: 'x' }, emptyOf('Name')),
	field('pixel.create', { pixelType: 'forum', name: 'x', tag: VALUE }, emptyOf('Tag')),
	field('pixel.delete', { pixelId: ID }, idOf('Pixel ID')),
	field('pixel.update', { pixelId: ID, tag: 'x' }, idOf('Pixel ID')),
	field('pixel.update', { pixelId: byId(1), tag: VALUE }, emptyOf('Tag')),

	...['background', 'foreground'].flatMap((name) => {
		const label = name.replace(/^./, (letter) => letter.toUpperCase());
		return [
			added('qrCode.create', name, colorOf(label), TEXT),
			added('qrCode.update', name, colorOf(label), { qrCodeId: byId(1), ...TEXT }),
		];
	}),
	field('qrCode.create', { qrType: 'text', text: VALUE }, emptyOf('Text')),
	field('qrCode.create', { qrType: 'link', url: VALUE }, emptyOf('URL')),
	field('qrCode.create', { qrType: 'link', url: VALUE }, addressOf('URL')),
	field('qrCode.create', { qrType: 'phone', phone: VALUE }, emptyOf('Phone')),
	field('qrCode.create', { qrType: 'email', email: VALUE }, emptyOf('Email')),
	field('qrCode.create', { qrType: 'sms', phone: VALUE }, emptyOf('Phone')),
	field('qrCode.create', { qrType: 'wifi', ssid: VALUE }, emptyOf('Network Name')),
	field('qrCode.create', { qrType: 'vcard', vcard: {} }, [
		[0, 'The contact is empty. Fill in at least one field under Contact.'],
	]),
	field(
		'qrCode.create',
		{ qrType: 'sms', dataMode: 'json', dataJson: VALUE },
		['{ "phone": ', "{ 'phone': 1 }", '{"a":1,}'].map((json) => [
			json,
			like(/^Content is no valid JSON\. .*double quotes/),
		]),
	),
	field('qrCode.delete', { qrCodeId: ID }, idOf('QR Code ID')),
	field('qrCode.get', { qrCodeId: ID }, idOf('QR Code ID')),
	field('qrCode.update', { qrCodeId: ID, ...TEXT }, idOf('QR Code ID')),
];

const STORE: BadInput[] = [
	field('item.get', { itemId: ID }, idOf('Item ID')),
	field('purchase.validate', { purchaseCode: 'any', options: { expectedItemId: VALUE } }, [
		['abc', saying('Expected Item ID must be a positive whole number, but is "abc"')],
	]),
	field('purchase.validate', { purchaseCode: VALUE }, emptyOf('Purchase Code')),
];

describe.each([
	['link', LINK],
	['store', STORE],
] as const)('the %s node refuses before any request', (node, inputs) => {
	test.each(
		inputs.map(
			(input) => [`${input.operation} ${JSON.stringify(input.parameters)}`, input] as const,
		),
	)('%s', async (_title, { operation, parameters, refused }) => {
		const { json, requests } = await stage[node](operation, parameters, {
			// The node goes on after each value, so that one run shows what becomes of all.
			rows: refused.map(([value]) => ({ value }) as IDataObject),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json).toEqual(refused.map(([, error]) => ({ error })));
		expect(requests).toEqual([]);
	});
});
