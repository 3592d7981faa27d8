import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { qrSvg } from '../../sandbox/link/qrImage.ts';
import type { NodeSettings, Stage, StageResult } from './support.ts';
import { byId, textOf } from './support.ts';

/** Every operation, filled from columns of its rows: what it needs, what it leaves at the service, how it is refused. */
export type OperationSample = SampleBase & (SampleRead | SampleWrite);

interface SampleBase {
	node: 'link' | 'store';
	/** `campaign.create` */
	name: string;
	/** The request that it sends, as the API documents print it. */
	request: string;
	/** Another one, which it sends before that. */
	asks?: string;
	parameters: INodeParameters;
	/** Makes what that many rows need, and gives the rows; for a list: that many records, and its one row. */
	rows(stage: Stage, count: number): Promise<IDataObject[]>;
	/** What its service refuses of it, other than the key; left out where nothing can be refused. */
	refused?: Refused;
}

interface SampleRead {
	kind: 'read' | 'list' | 'validate';
}

interface SampleWrite {
	kind: 'write';
	/** How often the service shows these rows as written. */
	written(stage: Stage, rows: IDataObject[]): Promise<number>;
}

interface Refused {
	row?: IDataObject;
	/** Parameters that differ. */
	parameters?: INodeParameters;
	/** What the service answers. */
	message: string;
	/** The status that belongs to it, in a dialect that has exact ones. */
	status: number;
}

type Fields = Record<string, unknown>;

/** An id that no record has. */
export const NONE = 987_654;

const DAY_MS = 86_400_000;

const unknown = (what: string, row: IDataObject = {}): { refused: Refused } => ({
	refused: {
		row: { id: NONE, ...row },
		message: `There is no ${what} with the id ${NONE}.`,
		status: 404,
	},
});

const invalid = (
	message: string,
	given: Omit<Refused, 'message' | 'status'>,
): { refused: Refused } => ({ refused: { ...given, message, status: 422 } });

const FROM_ROW = byId('={{ $json.id }}');
const column = (name: string): string => `={{ $json.${name} }}`;

let made = 0;

/** A number that nothing else made here has. */
function serial(): number {
	made += 1;
	return made;
}

/** Makes one thing after another. */
async function several(
	count: number,
	make: () => IDataObject | Promise<IDataObject>,
): Promise<IDataObject[]> {
	const rows: IDataObject[] = [];
	while (rows.length < count) rows.push(await make());
	return rows;
}

/** Rows that need nothing at the service. */
const fresh =
	(row: () => IDataObject) =>
	async (_stage: Stage, count: number): Promise<IDataObject[]> =>
		await several(count, row);

/** Rows that need a record each. */
const withRecord =
	(make: (stage: Stage) => Promise<number>, row: () => IDataObject = () => ({})) =>
	async (stage: Stage, count: number): Promise<IDataObject[]> =>
		await several(count, async () => ({ id: await make(stage), ...row() }));

/** The row of a list, and the records that it lists. */
const listOf =
	(make: (stage: Stage) => unknown) =>
	async (stage: Stage, count: number): Promise<IDataObject[]> => {
		for (let left = count; left > 0; left -= 1) await make(stage);
		return [{}];
	};

const name = (what: string): string => `${what} ${serial()}`;
const webAddress = (): string => `https://www.example.com/${serial()}`;
const domain = (): string => `https://go-${serial()}.example.com`;

const newCampaign = async (stage: Stage) =>
	await stage.make('/api/campaign/add', { name: name('Campaign'), public: true });
const newChannel = async (stage: Stage) =>
	await stage.make('/api/channel/add', { name: name('Channel') });
const newDomain = async (stage: Stage) => await stage.make('/api/domain/add', { domain: domain() });
const newLink = async (stage: Stage) => await stage.make('/api/url/add', { url: webAddress() });
const newPixel = async (stage: Stage) =>
	await stage.make('/api/pixel/add', { type: 'adspixel', name: name('Pixel'), tag: 'AW-1' });
const newQrCode = async (stage: Stage) =>
	await stage.make('/api/qr/add', { type: 'text', data: name('Table') });

/** A link that somebody has visited, so that its statistics hold something. */
async function visitedLink(stage: Stage): Promise<number> {
	const { id, shorturl } = await stage.api('POST /api/url/add', { url: webAddress() });
	await fetch(String(shorturl), { redirect: 'manual' });
	return Number(id);
}

/** Every record of a list. */
async function recordsOf(stage: Stage, path: string): Promise<Fields[]> {
	const records: Fields[] = [];
	for (let page = 1, last = 1; page <= last; page += 1) {
		const { data } = await stage.api(`GET ${path}?limit=100&page=${page}`);
		const members = data as Fields;
		last = Number(members.maxpage);
		records.push(...(Object.values(members).find(Array.isArray) as Fields[]));
	}
	return records;
}

/** How often a record of that list is what a row says. */
const listed =
	(path: string, isWritten: (record: Fields, row: IDataObject) => boolean) =>
	async (stage: Stage, rows: IDataObject[]): Promise<number> => {
		const records = await recordsOf(stage, path);
		return rows.flatMap((row) => records.filter((record) => isWritten(record, row))).length;
	};

/** How many of the rows' records are not there any more. */
const deleted =
	(path: string) =>
	async (stage: Stage, rows: IDataObject[]): Promise<number> => {
		const ids = (await recordsOf(stage, path)).map(idOf);
		return rows.filter(({ id }) => !ids.includes(Number(id))).length;
	};

const idOf = ({ id }: Fields): number => Number(id);
const isOf = (record: Fields, { id }: IDataObject): boolean => idOf(record) === id;

/** A code's text is in its picture only. */
const hasPicture = async ({ link }: Fields, { text }: IDataObject): Promise<boolean> => {
	const drawn = await fetch(`${String(link)}?format=svg`);
	const black = { foreground: 'rgb(0,0,0)', background: 'rgb(255,255,255)' };
	return (await drawn.text()) === (await qrSvg(textOf(text), black));
};

async function qrCodesWritten(
	stage: Stage,
	rows: IDataObject[],
	isOfRow: (record: Fields, row: IDataObject) => boolean,
): Promise<number> {
	const records = await recordsOf(stage, '/api/qr');
	const pairs = rows.flatMap((row) =>
		records.filter((record) => isOfRow(record, row)).map((record) => [record, row] as const),
	);
	const matches = await Promise.all(pairs.map(async (pair) => await hasPicture(...pair)));
	return matches.filter(Boolean).length;
}

export const OPERATION_SAMPLES: OperationSample[] = [
	{
		node: 'link',
		name: 'account.get',
		kind: 'read',
		request: 'GET /api/account',
		parameters: {},
		rows: fresh(() => ({})),
	},
	{
		node: 'link',
		name: 'account.update',
		kind: 'write',
		request: 'PUT /api/account/update',
		parameters: { updateFields: { email: column('email') } },
		rows: fresh(() => ({ email: `owner-${serial()}@example.com` })),
		// An account has one address: it tells which row came last.
		async written(stage, rows) {
			const { data } = await stage.api('GET /api/account');
			return rows.findIndex(({ email }) => email === (data as Fields).email) + 1;
		},
		...invalid('email must be an email address.', { row: { email: 'no address' } }),
	},
	{
		node: 'link',
		name: 'campaign.assignLink',
		kind: 'write',
		request: 'POST /api/campaign/:campaignid/assign/:linkid',
		parameters: { campaignId: FROM_ROW, linkId: byId(column('link')) },
		async rows(stage, count) {
			const id = await newCampaign(stage);
			return await several(count, async () => {
				const title = name('Assigned');
				return { id, title, link: await newLinkOf(stage, title) };
			});
		},
		// No answer of the API tells the links of a campaign; its public page does.
		async written(stage, rows) {
			const pages = rows.map(async ({ id, title }) => {
				const page = await fetch(`${stage.sandbox.linkUrl}/campaign/${Number(id)}`);
				return (await page.text()).split(`>${textOf(title)}</a>`).length - 1;
			});
			return (await Promise.all(pages)).reduce((sum, times) => sum + times, 0);
		},
		...unknown('campaign', { link: 1 }),
	},
	{
		node: 'link',
		name: 'campaign.create',
		kind: 'write',
		request: 'POST /api/campaign/add',
		parameters: { name: column('name'), additionalFields: {} },
		rows: fresh(() => ({ name: name('Campaign') })),
		written: listed('/api/campaigns', (record, row) =>
			[record.name, record.domain].includes(row.name),
		),
		...invalid('slug must have 1 to 64 letters, digits, - or _ and nothing else.', {
			row: { name: 'x' },
			parameters: { additionalFields: { slug: 'two words' } },
		}),
	},
	{
		node: 'link',
		name: 'campaign.delete',
		kind: 'write',
		request: 'DELETE /api/campaign/:id/delete',
		parameters: { campaignId: FROM_ROW },
		rows: withRecord(newCampaign),
		written: deleted('/api/campaigns'),
		...unknown('campaign'),
	},
	{
		node: 'link',
		name: 'campaign.getAll',
		kind: 'list',
		request: 'GET /api/campaigns',
		parameters: { returnAll: true },
		rows: listOf(newCampaign),
	},
	{
		node: 'link',
		name: 'campaign.update',
		kind: 'write',
		request: 'PUT /api/campaign/:id/update',
		parameters: { campaignId: FROM_ROW, name: column('name'), updateFields: {} },
		rows: withRecord(newCampaign, () => ({ name: name('Renamed') })),
		written: listed(
			'/api/campaigns',
			(record, row) => isOf(record, row) && [record.name, record.domain].includes(row.name),
		),
		...unknown('campaign', { name: 'x' }),
	},
	{
		node: 'link',
		name: 'channel.assignItem',
		kind: 'write',
		request: 'POST /api/channel/:channelid/assign/:type/:itemid',
		parameters: { channelId: FROM_ROW, itemType: 'links', itemId: byId(column('link')) },
		async rows(stage, count) {
			const id = await newChannel(stage);
			return await several(count, async () => ({ id, link: await newLink(stage) }));
		},
		async written(stage, rows) {
			const [{ id } = {}] = rows;
			const isItem = (item: Fields, row: IDataObject) => idOf(item) === row.link;
			return await listed(`/api/channel/${Number(id)}`, isItem)(stage, rows);
		},
		...unknown('channel', { link: 1 }),
	},
	{
		node: 'link',
		name: 'channel.create',
		kind: 'write',
		request: 'POST /api/channel/add',
		parameters: { name: column('name'), additionalFields: {} },
		rows: fresh(() => ({ name: name('Channel') })),
		written: listed('/api/channels', (record, row) => record.name === row.name),
		...invalid('description must not be longer than 65535 characters.', {
			row: { name: 'x' },
			parameters: { additionalFields: { description: 'x'.repeat(65_536) } },
		}),
	},
	{
		node: 'link',
		name: 'channel.delete',
		kind: 'write',
		request: 'DELETE /api/channel/:id/delete',
		parameters: { channelId: FROM_ROW },
		rows: withRecord(newChannel),
		written: deleted('/api/channels'),
		...unknown('channel'),
	},
	{
		node: 'link',
		name: 'channel.getAll',
		kind: 'list',
		request: 'GET /api/channels',
		parameters: { returnAll: true },
		rows: listOf(newChannel),
	},
	{
		node: 'link',
		name: 'channel.getItems',
		kind: 'list',
		request: 'GET /api/channel/:id',
		parameters: { channelId: FROM_ROW, returnAll: true },
		async rows(stage, count) {
			const id = await newChannel(stage);
			await listOf(async () => {
				const link = await newLink(stage);
				await stage.api(`POST /api/channel/${id}/assign/links/${link}`);
			})(stage, count);
			return [{ id }];
		},
		...unknown('channel'),
	},
	{
		node: 'link',
		name: 'channel.update',
		kind: 'write',
		request: 'PUT /api/channel/:id/update',
		parameters: { channelId: FROM_ROW, updateFields: { name: column('name') } },
		rows: withRecord(newChannel, () => ({ name: name('Renamed') })),
		written: listed(
			'/api/channels',
			(record, row) => isOf(record, row) && record.name === row.name,
		),
		...unknown('channel', { name: 'x' }),
	},
	{
		node: 'link',
		name: 'ctaOverlay.getAll',
		kind: 'list',
		request: 'GET /api/overlay',
		parameters: { returnAll: true },
		rows: listOf(({ sandbox, linkAccount }) =>
			sandbox.links.addOverlay(linkAccount.id, name('Overlay')),
		),
	},
	{
		node: 'link',
		name: 'domain.create',
		kind: 'write',
		request: 'POST /api/domain/add',
		parameters: { domain: column('domain'), additionalFields: {} },
		rows: fresh(() => ({ domain: domain() })),
		written: listed('/api/domains', (record, row) => record.domain === row.domain),
		...invalid('go.invalid does not point to this server yet.', {
			row: { domain: 'https://go.invalid' },
		}),
	},
	{
		node: 'link',
		name: 'domain.delete',
		kind: 'write',
		request: 'DELETE /api/domain/:id/delete',
		parameters: { domainId: FROM_ROW },
		rows: withRecord(newDomain),
		written: deleted('/api/domains'),
		...unknown('domain'),
	},
	{
		node: 'link',
		name: 'domain.getAll',
		kind: 'list',
		request: 'GET /api/domains',
		parameters: { returnAll: true },
		rows: listOf(newDomain),
	},
	{
		node: 'link',
		name: 'domain.update',
		kind: 'write',
		request: 'PUT /api/domain/:id/update',
		parameters: { domainId: FROM_ROW, updateFields: { rootRedirect: column('redirect') } },
		rows: withRecord(newDomain, () => ({ redirect: webAddress() })),
		written: listed(
			'/api/domains',
			(record, row) => isOf(record, row) && record.redirectroot === row.redirect,
		),
		...unknown('domain', { redirect: '' }),
	},
	{
		node: 'link',
		name: 'link.create',
		kind: 'write',
		request: 'POST /api/url/add',
		parameters: { url: column('url'), additionalFields: {} },
		rows: fresh(() => ({ url: webAddress() })),
		written: listed('/api/urls', (record, row) => record.longurl === row.url),
		...invalid('The alias api is reserved.', {
			row: { url: 'https://example.com' },
			parameters: { additionalFields: { customAlias: 'api' } },
		}),
	},
	{
		node: 'link',
		name: 'link.delete',
		kind: 'write',
		request: 'DELETE /api/url/:id/delete',
		parameters: { linkId: FROM_ROW },
		rows: withRecord(newLink),
		written: deleted('/api/urls'),
		...unknown('link'),
	},
	{
		node: 'link',
		name: 'link.get',
		kind: 'read',
		request: 'GET /api/url/:id',
		parameters: { linkId: FROM_ROW },
		rows: withRecord(visitedLink),
		...unknown('link'),
	},
	{
		node: 'link',
		name: 'link.getAll',
		kind: 'list',
		request: 'GET /api/urls',
		parameters: { returnAll: true },
		rows: listOf(newLink),
		...invalid('order must be one of: date, click.', {
			parameters: { options: { order: '={{ "size" }}' } },
		}),
	},
	{
		node: 'link',
		name: 'link.update',
		kind: 'write',
		request: 'PUT /api/url/:id/update',
		asks: 'GET /api/url/:id',
		parameters: { linkId: FROM_ROW, updateFields: { metaTitle: column('title') } },
		rows: withRecord(newLink, () => ({ title: name('Retitled') })),
		written: listed('/api/urls', (record, row) => isOf(record, row) && record.title === row.title),
		...unknown('link', { title: 'x' }),
	},
	{
		node: 'link',
		name: 'pixel.create',
		kind: 'write',
		request: 'POST /api/pixel/add',
		parameters: { pixelType: 'adspixel', name: column('name'), tag: 'AW-1' },
		rows: fresh(() => ({ name: name('Pixel') })),
		written: listed('/api/pixels', (record, row) => record.name === row.name),
		...invalid(
			'type must be one of: tagmanagerpixel, analyticspixel, socialapixel, adspixel, professionalnetworkpixel, microblogpixel, retargetingpixel, qapixel, pinboard, searchengine, messaging, forum, shortvideo.',
			{ row: { name: 'x' }, parameters: { pixelType: '={{ "carrier" }}' } },
		),
	},
	{
		node: 'link',
		name: 'pixel.delete',
		kind: 'write',
		request: 'DELETE /api/pixel/:id/delete',
		parameters: { pixelId: FROM_ROW },
		rows: withRecord(newPixel),
		written: deleted('/api/pixels'),
		...unknown('pixel'),
	},
	{
		node: 'link',
		name: 'pixel.getAll',
		kind: 'list',
		request: 'GET /api/pixels',
		parameters: { returnAll: true },
		rows: listOf(newPixel),
	},
	{
		node: 'link',
		name: 'pixel.update',
		kind: 'write',
		request: 'PUT /api/pixel/:id/update',
		parameters: { pixelId: FROM_ROW, tag: column('tag'), updateFields: {} },
		rows: withRecord(newPixel, () => ({ tag: `AW-${serial()}` })),
		written: listed('/api/pixels', (record, row) => isOf(record, row) && record.tag === row.tag),
		...unknown('pixel', { tag: 'x' }),
	},
	{
		node: 'link',
		name: 'qrCode.create',
		kind: 'write',
		request: 'POST /api/qr/add',
		parameters: { qrType: 'text', text: column('text'), additionalFields: {} },
		async rows(stage, count) {
			const after = Math.max(0, ...(await recordsOf(stage, '/api/qr')).map(idOf));
			return await several(count, () => ({ after, text: name('Table') }));
		},
		written: async (stage, rows) =>
			await qrCodesWritten(stage, rows, (record, { after }) => idOf(record) > Number(after)),
		...invalid('data is too long for a QR code.', { row: { text: 'x'.repeat(5000) } }),
	},
	{
		node: 'link',
		name: 'qrCode.delete',
		kind: 'write',
		request: 'DELETE /api/qr/:id/delete',
		parameters: { qrCodeId: FROM_ROW },
		rows: withRecord(newQrCode),
		written: deleted('/api/qr'),
		...unknown('QR code'),
	},
	{
		node: 'link',
		name: 'qrCode.get',
		kind: 'read',
		request: 'GET /api/qr/:id',
		parameters: { qrCodeId: FROM_ROW },
		rows: withRecord(newQrCode),
		...unknown('QR code'),
	},
	{
		node: 'link',
		name: 'qrCode.getAll',
		kind: 'list',
		request: 'GET /api/qr',
		parameters: { returnAll: true },
		rows: listOf(newQrCode),
	},
	{
		node: 'link',
		name: 'qrCode.update',
		kind: 'write',
		request: 'PUT /api/qr/:id/update',
		parameters: { qrCodeId: FROM_ROW, qrType: 'text', text: column('text'), updateFields: {} },
		rows: withRecord(newQrCode, () => ({ text: name('Table') })),
		written: async (stage, rows) => await qrCodesWritten(stage, rows, isOf),
		...unknown('QR code', { text: 'Table 7' }),
	},
	{
		node: 'link',
		name: 'splashPage.getAll',
		kind: 'list',
		request: 'GET /api/splash',
		parameters: { returnAll: true },
		rows: listOf(({ sandbox, linkAccount }) =>
			sandbox.links.addSplashPage(linkAccount.id, name('Splash page')),
		),
	},
	{
		node: 'store',
		name: 'account.get',
		kind: 'read',
		request: 'GET /api/account/details',
		parameters: {},
		rows: fresh(() => ({})),
	},
	{
		node: 'store',
		name: 'item.get',
		kind: 'read',
		request: 'GET /api/items/item',
		parameters: { itemId: FROM_ROW },
		rows: withRecord(
			async ({ sandbox, storeAccount }) =>
				await Promise.resolve(sandbox.store.addItem(storeAccount.id)),
		),
		refused: { row: { id: NONE }, message: 'Item Not Found', status: 404 },
	},
	{
		node: 'store',
		name: 'item.getAll',
		kind: 'list',
		request: 'GET /api/items/all',
		parameters: { returnAll: true },
		rows: listOf(({ sandbox, storeAccount }) => sandbox.store.addItem(storeAccount.id)),
	},
	{
		node: 'store',
		name: 'purchase.validate',
		kind: 'validate',
		request: 'POST /api/purchases/validation',
		parameters: { purchaseCode: column('code'), options: {} },
		rows: async ({ sandbox, storeAccount }, count) =>
			await several(count, () => {
				const item = sandbox.store.addItem(storeAccount.id, { screenshots: true });
				// Half a day more: a clock that is an hour ahead counts the same days.
				const supportedUntil = new Date(Date.now() + 10.5 * DAY_MS).toISOString();
				return { code: sandbox.store.addPurchase(item, { supportedUntil }) };
			}),
		refused: {
			row: { code: 'never-sold' },
			parameters: { options: { onInvalid: 'error' } },
			message: 'Invalid purchase code',
			status: 404,
		},
	},
];

async function newLinkOf(stage: Stage, metatitle: string): Promise<number> {
	return await stage.make('/api/url/add', { url: webAddress(), metatitle });
}

/** Runs an operation on these rows. */
export async function runSample(
	stage: Stage,
	{ node, name: operation, parameters }: OperationSample,
	{ parameters: changes, ...settings }: NodeSettings & { parameters?: INodeParameters } = {},
): Promise<StageResult> {
	const run = node === 'store' ? stage.store.bind(stage) : stage.link.bind(stage);
	return await run(operation, { ...parameters, ...changes }, settings);
}
