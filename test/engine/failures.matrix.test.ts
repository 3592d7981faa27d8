import type { INodeParameters } from 'n8n-workflow';

import { DIALECT_NAMES } from '../../sandbox/dialects.ts';
import { Stage, byId, inEveryDialect, like, onStage } from './support.ts';

/** Every operation, as a user sees it fail: the service's own message first, then what to do, and the status. */

/** An id that no record has. */
const NONE = 987_654;

interface Failing {
	/** `linkManagement` or `store`, and the operation. */
	operation: `${'link' | 'store'} ${string}`;
	parameters: INodeParameters;
	/** What the service answers to these parameters; left out where only the key can be refused. */
	message?: string;
	/** The status that belongs to it, in a dialect that has exact ones. */
	status?: number;
}

const unknown = (
	operation: Failing['operation'],
	what: string,
	parameters: INodeParameters,
): Failing => ({
	operation,
	parameters,
	message: `There is no ${what} with the id ${NONE}.`,
	status: 404,
});

const list = (operation: Failing['operation']): Failing => ({
	operation,
	parameters: { returnAll: true },
});

const text = { qrType: 'text', dataMode: 'fields', text: 'Table 7' };

const FAILING: Failing[] = [
	{ operation: 'link account.get', parameters: {} },
	{
		operation: 'link account.update',
		parameters: { updateFields: { email: 'no address' } },
		message: 'email must be an email address.',
		status: 422,
	},
	{
		operation: 'link campaign.create',
		parameters: { name: 'x', additionalFields: { slug: 'two words' } },
		message: 'slug must have 1 to 64 letters, digits, - or _ and nothing else.',
		status: 422,
	},
	list('link campaign.getAll'),
	unknown('link campaign.update', 'campaign', {
		campaignId: byId(NONE),
		name: 'x',
		updateFields: {},
	}),
	unknown('link campaign.delete', 'campaign', { campaignId: byId(NONE) }),
	unknown('link campaign.assignLink', 'campaign', { campaignId: byId(NONE), linkId: byId(1) }),
	{
		operation: 'link channel.create',
		parameters: { name: 'x', additionalFields: { description: 'x'.repeat(65_536) } },
		message: 'description must not be longer than 65535 characters.',
		status: 422,
	},
	list('link channel.getAll'),
	unknown('link channel.getItems', 'channel', { channelId: byId(NONE), returnAll: true }),
	unknown('link channel.update', 'channel', {
		channelId: byId(NONE),
		updateFields: { starred: true },
	}),
	unknown('link channel.delete', 'channel', { channelId: byId(NONE) }),
	unknown('link channel.assignItem', 'channel', {
		channelId: byId(NONE),
		itemType: 'links',
		itemId: byId(1),
	}),
	list('link ctaOverlay.getAll'),
	{
		operation: 'link domain.create',
		parameters: { domain: 'https://go.invalid', additionalFields: {} },
		message: 'go.invalid does not point to this server yet.',
		status: 422,
	},
	list('link domain.getAll'),
	unknown('link domain.update', 'domain', {
		domainId: byId(NONE),
		updateFields: { rootRedirect: '' },
	}),
	unknown('link domain.delete', 'domain', { domainId: byId(NONE) }),
	{
		operation: 'link link.create',
		parameters: { url: 'https://example.com', additionalFields: { customAlias: 'api' } },
		message: 'The alias api is reserved.',
		status: 422,
	},
	unknown('link link.get', 'link', { linkId: byId(NONE) }),
	{
		operation: 'link link.getAll',
		parameters: { returnAll: true, options: { order: '={{ "size" }}' } },
		message: 'order must be one of: date, click.',
		status: 422,
	},
	unknown('link link.update', 'link', { linkId: byId(NONE), updateFields: { metaTitle: 'x' } }),
	unknown('link link.delete', 'link', { linkId: byId(NONE) }),
	{
		operation: 'link pixel.create',
		parameters: { pixelType: '={{ "carrier" }}', name: 'x', tag: 'x' },
		message:
			'type must be one of: tagmanagerpixel, analyticspixel, socialapixel, adspixel, professionalnetworkpixel, microblogpixel, retargetingpixel, qapixel, pinboard, searchengine, messaging, forum, shortvideo.',
		status: 422,
	},
	list('link pixel.getAll'),
	unknown('link pixel.update', 'pixel', { pixelId: byId(NONE), tag: 'x', updateFields: {} }),
	unknown('link pixel.delete', 'pixel', { pixelId: byId(NONE) }),
	{
		operation: 'link qrCode.create',
		parameters: { ...text, text: 'x'.repeat(5000), additionalFields: {} },
		message: 'data is too long for a QR code.',
		status: 422,
	},
	unknown('link qrCode.get', 'QR code', { qrCodeId: byId(NONE) }),
	list('link qrCode.getAll'),
	unknown('link qrCode.update', 'QR code', { qrCodeId: byId(NONE), ...text, updateFields: {} }),
	unknown('link qrCode.delete', 'QR code', { qrCodeId: byId(NONE) }),
	list('link splashPage.getAll'),
	{ operation: 'store account.get', parameters: {} },
	{
		operation: 'store item.get',
		parameters: { itemId: byId(NONE) },
		message: 'Item Not Found',
		status: 404,
	},
	list('store item.getAll'),
	{
		operation: 'store purchase.validate',
		parameters: { purchaseCode: 'never-sold', options: { onInvalid: 'error' } },
		message: 'Invalid purchase code',
		status: 404,
	},
];

const REFUSABLE = FAILING.flatMap(({ message, status, ...failing }) =>
	message === undefined || status === undefined ? [] : [{ ...failing, message, status }],
);

async function run(
	stage: Stage,
	{ operation, parameters }: Failing,
	settings: Parameters<Stage['link']>[2] = {},
) {
	const [node = '', name = ''] = operation.split(' ');
	return node === 'store'
		? await stage.store(name, parameters, settings)
		: await stage.link(name, parameters, settings);
}

test('all 37 operations are here, and all but the accounts and the plain lists can be refused', () => {
	expect(new Set(FAILING.map(({ operation }) => operation)).size).toBe(37);
	const others = FAILING.filter(({ message }) => message === undefined);
	expect(
		others.map(({ operation }) => operation.replace(/^\w+ (account\.get|\w+\.)/, '$1')),
	).toEqual([
		'account.get',
		...['campaign', 'channel', 'ctaOverlay', 'domain', 'pixel', 'qrCode', 'splashPage'].map(
			(resource) => `${resource}.getAll`,
		),
		'account.get',
		'item.getAll',
	]);
});

inEveryDialect((stage) => {
	const statusOf = (status: number) =>
		stage.dialect.failureStatus === 'http200' ? '200' : String(status);

	test.each(REFUSABLE)('$operation tells the message of the service', async (failing) => {
		const { error, items, requests } = await run(stage, failing);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: failing.message,
			description: 'Check the values that the step sends',
			httpCode: statusOf(failing.status),
			context: { itemIndex: 0 },
		});
		expect(items).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	test.each(FAILING)('$operation says that the key was refused', async (failing) => {
		const { error, items, requests } = await run(stage, failing, {
			credential: { apiKey: 'mistyped' },
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The API key is not valid.',
			description: like(/^Check the API key in the credential/),
			httpCode: stage.dialect.keyRefused,
		});
		expect(items).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	test.each(REFUSABLE)(
		'$operation gives an error item where the node continues',
		async (failing) => {
			const { error, items } = await run(stage, failing, {
				settings: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			const message = failing.message.replace(/\.$/, '');
			expect(items).toEqual([
				{
					json: { error: `${message}. Check the values that the step sends.` },
					pairedItem: { item: 0 },
				},
			]);
		},
	);
});

describe('where failures are web pages', () => {
	const stage = onStage(new Stage({ failureStatus: 'html' }));

	test.each(REFUSABLE)(
		'$operation says so, with the status and none of the page',
		async (failing) => {
			const { error, items, run: whole } = await run(stage, failing);
			const service = failing.operation.startsWith('store') ? 'The store' : 'The link service';
			expect(error).toMatchObject({
				message: `${service} was expected to answer, but a web page came (status ${failing.status})`,
				httpCode: String(failing.status),
			});
			expect(error?.description).not.toMatch(/carried out/);
			expect(items).toEqual([]);
			expect(JSON.stringify(whole.data.resultData.error)).not.toMatch(/<html|<title|<body/i);
		},
	);

	test.each(FAILING)('$operation says that the key was refused', async (failing) => {
		const { error } = await run(stage, failing, { credential: { apiKey: 'mistyped' } });
		expect(error).toMatchObject({
			message: like(/^The (link service|store) refused the API key$/),
			description: like(/^Check the API key in the credential/),
			httpCode: '401',
		});
	});
});

describe.each(DIALECT_NAMES)('the errors of the dialect %s', (dialect) => {
	const stage = onStage(new Stage(dialect));

	test.each(['expired', 'replaced'])(
		'a key that was %s is refused by its own words',
		async (how) => {
			const { id } = stage.linkAccount;
			if (how === 'expired') stage.sandbox.expireKey('link', id);
			else stage.sandbox.rotateKey('link', id);
			const { error } = await stage.link('account.get');
			const words = { expired: 'The API key has expired.', replaced: 'The API key is not valid.' };
			expect(error?.message).toBe(words[how === 'expired' ? 'expired' : 'replaced']);
		},
	);

	test('are kept without the key and without the request', async () => {
		const { run: whole, error } = await stage.link('link.get', { linkId: byId(NONE) });
		expect(error).toBeDefined();
		const kept = JSON.stringify(whole.data.resultData);
		expect(kept).not.toContain(stage.linkAccount.apiKey);
		expect(kept).not.toMatch(/authorization/i);
	});
});
