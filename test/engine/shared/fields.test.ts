import type { INodeParameters } from 'n8n-workflow';

import type { Fields } from '../../fixtures.ts';
import { FIXTURES } from '../../fixtures.ts';
import { record } from '../../n8n-host/json.ts';
import { OPERATIONS, placesIn } from '../../operations.ts';
import type { Entry, Value } from '../helpers/entries.ts';
import { ENTRIES } from '../helpers/entries.ts';
import type { FixtureRun } from '../helpers/fixture.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import { byId, like, onStage, Stage } from '../helpers/support.ts';

/**
 * Every field of every operation, with values of other types, without a value, and with what is refused before any request.
 * The fixture of the operation says how the field is filled; here, it is filled from the column `value`.
 */

// A service that ignores a domain gets no further link for it.
const stage = onStage(new Stage({ foreignDomain: 'refused' }));

const EMPTY = /is empty/;
const NOTHING_LEFT = /^There is nothing to update/;
/** A link keeps its long URL, which the API requires. */
const AN_ADDRESS = like(/^https:/);

/** What is sent, where it is in the body, of which kind it is, and what comes of a blank value: by default, it is left out. */
const FIELDS: Array<
	[operation: string, field: string, member: string, kind: keyof typeof ENTRIES, blank?: unknown]
> = [
	['link.create', 'url', 'url', 'address', EMPTY],
	['link.create', 'customAlias', 'custom', 'alias'],
	['link.create', 'domain', 'domain', 'domain'],
	['link.create', 'additionalFields.expiry', 'expiry', 'moment'],
	['link.create', 'additionalFields.metaDescription', 'metadescription', 'text'],
	['link.create', 'additionalFields.metaImage', 'metaimage', 'webAddress'],
	['link.create', 'additionalFields.metaTitle', 'metatitle', 'text'],
	['link.create', 'additionalFields.note', 'description', 'text'],
	['link.create', 'additionalFields.password', 'password', 'secret'],
	['link.create', 'additionalFields.public', 'status', 'visibility'],
	['link.create', 'additionalFields.redirectType', 'type', 'redirectType'],
	['link.upsert', 'url', 'url', 'address', EMPTY],
	['link.upsert', 'customAlias', 'custom', 'alias'],
	['link.update', 'updateFields.customAlias', 'custom', 'alias'],
	['link.update', 'updateFields.expiry', 'expiry', 'moment'],
	['link.update', 'updateFields.metaDescription', 'metadescription', 'text'],
	['link.update', 'updateFields.metaImage', 'metaimage', 'webAddress'],
	['link.update', 'updateFields.metaTitle', 'metatitle', 'text', NOTHING_LEFT],
	['link.update', 'updateFields.note', 'description', 'text'],
	['link.update', 'updateFields.password', 'password', 'secret'],
	['link.update', 'updateFields.public', 'status', 'visibility'],
	['link.update', 'updateFields.redirectType', 'type', 'redirectType'],
	['link.update', 'updateFields.url', 'url', 'address', AN_ADDRESS],
	['account.update', 'updateFields.email', 'email', 'line', NOTHING_LEFT],
	['account.update', 'updateFields.password', 'password', 'secret'],
	['campaign.create', 'campaignName', 'name', 'line'],
	['campaign.create', 'additionalFields.public', 'public', 'flag'],
	['campaign.create', 'additionalFields.slug', 'slug', 'line'],
	['campaign.update', 'campaignName', 'name', 'line', EMPTY],
	['channel.create', 'channelName', 'name', 'line', EMPTY],
	['channel.create', 'additionalFields.color', 'color', 'hexColor'],
	['channel.create', 'additionalFields.description', 'description', 'text'],
	['channel.create', 'additionalFields.starred', 'starred', 'flag'],
	['channel.update', 'updateFields.name', 'name', 'line', NOTHING_LEFT],
	['domain.create', 'domainName', 'domain', 'webAddress', EMPTY],
	['domain.create', 'additionalFields.notFoundRedirect', 'redirect404', 'address'],
	['domain.create', 'additionalFields.rootRedirect', 'redirectroot', 'address'],
	['domain.update', 'updateFields.rootRedirect', 'redirectroot', 'address', NOTHING_LEFT],
	['pixel.create', 'pixelType', 'type', 'pixelType'],
	['pixel.create', 'pixelName', 'name', 'line', EMPTY],
	['pixel.create', 'tag', 'tag', 'tag', EMPTY],
	['pixel.update', 'tag', 'tag', 'tag', EMPTY],
	['pixel.update', 'updateFields.name', 'name', 'line'],
	['qrCode.create', 'text', 'data', 'text', EMPTY],
	['qrCode.create', 'contentUrl', 'data', 'address', EMPTY],
	['qrCode.create', 'phone', 'data', 'phone', EMPTY],
	['qrCode.create', 'email', 'data.email', 'line', EMPTY],
	['qrCode.create', 'subject', 'data.subject', 'text', ''],
	['qrCode.create', 'body', 'data.body', 'text', ''],
	['qrCode.create', 'message', 'data.message', 'text', ''],
	['qrCode.create', 'ssid', 'data.ssid', 'text', EMPTY],
	['qrCode.create', 'encryption', 'data.encryption', 'encryption', /must be one of/],
	['qrCode.create', 'wifiPassword', 'data.pass', 'secret', EMPTY],
	['qrCode.create', 'vcard.fname', 'data.fname', 'line'],
	['qrCode.create', 'vcard.phone', 'data.phone', 'phone'],
	['qrCode.create', 'vcard.site', 'data.site', 'webAddress'],
	['qrCode.create', 'vcard.zip', 'data.zip', 'tag'],
	['qrCode.create', 'additionalFields.background', 'background', 'rgbColor', 'rgb(255,255,255)'],
	['qrCode.create', 'additionalFields.foreground', 'foreground', 'rgbColor', 'rgb(0,0,0)'],
	['qrCode.create', 'additionalFields.logo', 'logo', 'line'],
	['qrCode.create', 'additionalFields.qrCodeName', 'name', 'text'],
	['qrCode.update', 'text', 'data', 'text', EMPTY],
	['qrCode.update', 'updateFields.background', 'background', 'rgbColor'],
];

const partOf = (members: unknown, path: string): unknown =>
	path.split('.').reduce((value, name) => record(value)[name], members);

/** The run of the operation in which the field has a value. */
function runWith(operation: string, field: string): FixtureRun | undefined {
	return FIXTURES.filter(({ name }) => name === operation)
		.flatMap((fixture) => [fixture, ...fixture.cases.map((each) => ({ ...fixture, ...each }))])
		.filter(({ error, replay }) => error === undefined && replay !== true)
		.find(({ parameters }) => partOf(parameters, field) !== undefined);
}

/** Runs the operation once, with a row for each of these values in the field. @returns the errors, and what arrived */
async function enter(operation: string, field: string, values: Value[]) {
	const run = runWith(operation, field);
	if (!run) throw new Error(`No case of ${operation} has ${field}`);
	const { rows } = await prepare(stage, run);
	const [row = {}] = rows;
	const held = record(partOf(run.parameters, field));
	const expression = '={{ $json.value }}';
	const value = '__rl' in held ? { ...held, mode: 'id', value: expression } : expression;
	const [name = '', added] = field.split('.');
	const parameters: Fields = {
		...run.parameters,
		[name]: added === undefined ? value : { ...record(run.parameters[name]), [added]: value },
	};
	// Create or Update refuses a second row with the alias of another one.
	const aliasOf = (at: number): string => `row-${at}-${JSON.stringify(row.n)}`;
	const { json, requests } = await runFixture(
		stage,
		{ ...run, parameters, onError: 'continueRegularOutput' },
		{ rows: values.map((each, at) => ({ ...row, custom: aliasOf(at), value: each })) },
	);
	const writes = requests.filter(({ request }) => !request.startsWith('GET '));
	return { errors: json.map(({ error }) => error), requests, writes };
}

describe.each(FIELDS)('%s %s', (operation, field, member, kind, blank) => {
	const entries: Entry[] = ENTRIES[kind];
	const sent = (writes: Array<{ body: unknown }>) => writes.map(({ body }) => partOf(body, member));

	test('sends what was entered', async () => {
		// So that no domain is one that the account does not have.
		const refusal = { kind: 'respond', status: 403, body: { error: 1, message: 'No' } } as const;
		const fault = { ...refusal, method: 'GET', path: '/api/domains', times: 99 };
		if (field === 'domain') stage.sandbox.faults.add(fault);
		const right = entries.filter(([, arrives]) => !(arrives instanceof RegExp));
		const entered = right.map(([value]) => value);
		const { writes } = await enter(operation, field, entered);
		expect(sent(writes)).toEqual(right.map(([, arrives]) => arrives));
	});

	test('refuses what cannot be sent before any request', async () => {
		const wrong = entries.filter(([, said]) => said instanceof RegExp);
		const entered = wrong.map(([value]) => value);
		const { errors, requests } = await enter(operation, field, entered);
		expect(errors).toEqual(wrong.map(([, said]) => like(said as RegExp)));
		expect(JSON.stringify(errors)).not.toContain('hidden');
		expect(requests).toEqual([]);
	});

	test('without a value, is left out or does what its row says', async () => {
		// A cell of nothing but a zero-width space looks as empty as the others.
		const blanks = ['', null, [], ' ', '\u200b'];
		const { writes, errors } = await enter(operation, field, blanks);
		if (blank instanceof RegExp) {
			expect([errors, writes]).toEqual([blanks.map(() => like(blank)), []]);
			return;
		}
		expect(writes.length).toBeGreaterThan(0);
		expect(sent(writes)).toEqual(writes.map(() => blank));
	});
});

const PLACES = OPERATIONS.flatMap(({ name: operation, fields }) =>
	placesIn(fields)
		.filter(({ path }) => runWith(operation, path))
		.map(({ path, field }) => ({ operation, path, ...field })),
);

const CHOICES = PLACES.filter(
	({ type, routing, noDataExpression }) =>
		['boolean', 'options'].includes(type) && !routing && noDataExpression !== true,
);

test.each(CHOICES)('$operation $path refuses any other word', async ({ operation, path }) => {
	const { errors, requests } = await enter(operation, path, ['sideways']);
	expect(errors).toEqual([like(/must be (?:one of|true or false)/)]);
	expect(requests).toEqual([]);
});

const NO_IDS = ['0', '-1', '+1', '1e3', '..', '.5', '1/delete', '%31', 7.5, true, ''];

const LOCATORS = PLACES.filter(({ type, required }) => type === 'resourceLocator' && required);

test.each(LOCATORS)(
	'$operation $path refuses what is not an ID before any request',
	async ({ operation, path, displayName }) => {
		// All others take a name, too, and n8n sets *By ID* when a column is dragged there.
		const hasIdsOnly = /^(?:qrCode|item)\./.test(operation);
		const values = hasIdsOnly ? [...NO_IDS, 'abc'] : NO_IDS;
		const { errors, requests } = await enter(operation, path, values);
		const words = `^'${displayName}' (?:must be a positive whole number, but is |is empty)`;
		expect(errors).toEqual(values.map(() => like(new RegExp(words))));
		expect(requests).toEqual([]);
	},
);

test.each([
	['asEntered', 'Sale%20', '%20Now'],
	['hyphen', 'sale-', '-now'],
	['underscore', 'sale_', '_now'],
])('UTM tags %s keep the placeholders of mail and ad tools', async (utmFormat, start, end) => {
	const rows = [{ tag: '\ufeffSale {x y} Now\u200b' }];
	const parameters = {
		url: 'https://example.com/#a',
		additionalFields: { utm: { campaign: '={{ $json.tag }}' } },
		options: { utmFormat },
	};
	const { requests } = await stage.link('link.create', parameters, { rows });
	const url = `https://example.com/?utm_campaign=${start}{x y}${end}#a`;
	expect(requests.at(-1)).toMatchObject({ body: { url } });
});

test('UTM tags are not added to the link of an app', async () => {
	const parameters = { url: 'intent://a#Intent;end', additionalFields: { utm: { term: 'Sale' } } };
	const { requests } = await stage.link('link.create', parameters);
	expect(requests.at(-1)).toMatchObject({ body: { url: 'intent://a#Intent;end' } });
});

test.each([
	[{ location: 'Germany', link: '' }, /^'Target URL' is empty/],
	[{ location: '', link: 'https://example.com/' }, /^'Country' is empty/],
])('half a target is refused: %j', async (target, message) => {
	const geoTargets = { target: [target] };
	const parameters = { url: 'https://example.com/', additionalFields: { geoTargets } };
	const { error, requests } = await stage.link('link.create', parameters);
	expect(error?.message).toMatch(message);
	expect(requests).toEqual([]);
});

test.each<[what: string, updateFields: INodeParameters]>([
	['blank ones', { metaTitle: 'New', parameters: { parameter: [{ name: '', value: '' }] } }],
	[
		'one that a UTM tag replaces',
		{
			utm: { source: 'mail' },
			parameters: { parameter: [{ name: 'utm_source', value: 'old' }] },
		},
	],
])('an update leaves the parameters of a link alone for %s', async (_what, updateFields) => {
	const linkId = byId(await stage.make('/api/url/add', { url: 'https://example.com/' }));
	const { requests } = await stage.link('link.update', { linkId, updateFields });
	const written = requests.find(({ request }) => request.startsWith('PUT '));
	expect(written?.body).toMatchObject({ url: like(/^https:/) });
	expect(written?.body).not.toHaveProperty('parameters');
});
