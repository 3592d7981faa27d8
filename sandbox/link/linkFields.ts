import { randomBytes } from 'node:crypto';
import { datetime } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { bodyOf, type Fields, isRecord, listOf, TEXT, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import { escaped } from '../written.ts';
import { linkAddress } from './linkAddress.ts';
import type { Call } from './routes.ts';

/** "Short link (add and update)": what a body may hold, and what it makes of a link. */

const DOCUMENTED = {
	url: TEXT,
	custom: TEXT,
	type: TEXT,
	password: TEXT,
	domain: TEXT,
	expiry: TEXT,
	geotarget: listOf({ location: TEXT, link: TEXT }, 'location', 'link'),
	devicetarget: listOf({ device: TEXT, link: TEXT }, 'device', 'link'),
	languagetarget: listOf({ language: TEXT, link: TEXT }, 'language', 'link'),
	metatitle: TEXT,
	metadescription: TEXT,
	metaimage: TEXT,
	parameters: listOf({ name: TEXT, value: TEXT }, 'name'),
};
const BEYOND = {
	campaign: TEXT,
	channel: TEXT,
	pixels: { type: 'array', items: { type: 'integer' } },
	status: TEXT,
	description: TEXT,
};

export const bodyOfLink = ({ createReadsPlaces }: Dialect) =>
	bodyOf(createReadsPlaces === 'yes' ? { ...DOCUMENTED, ...BEYOND } : DOCUMENTED, 'url');

/** What an update empties, where it replaces what is not sent. */
const EMPTIED: Fields = {
	password: '',
	expiry: null,
	location: {},
	device: {},
	language: {},
	parameters: [],
	pixels: [],
	note: '',
	campaign: null,
	domain: null,
};

/** A link of which nothing is known but where it leads. @param now epoch milliseconds */
export const newLink = (longurl: string, now: number): Fields => ({
	alias: randomBytes(4).toString('hex'),
	longurl,
	title: URL.parse(longurl)?.hostname ?? '',
	description: '',
	image: '',
	type: 'direct',
	public: false,
	...EMPTIED,
	clicks: 0,
	date: datetime(now),
});

/** Reads what was sent of a link. */
export function linkReader(
	tables: Tables,
	dialect: Dialect,
): (call: Call, present?: Fields) => Fields {
	const { aliasOf, checkAlias, domainOf } = linkAddress(tables, dialect);
	const isReplaced = dialect.linkUpdate === 'replaces';

	return (call, present) => {
		const { accountId, body } = call;
		const url = textIn(body, 'url');
		const domain = domainOf(call);
		const alias = aliasOf(body);
		const kept = isReplaced ? null : (present?.domain ?? null);
		if (alias) checkAlias(alias, present?.id, domain === undefined ? kept : domain);
		const fields = {
			longurl: url && present ? escaped(url, dialect) : url,
			alias,
			domain,
			type: body.type,
			password: body.password,
			expiry: body.expiry === '' ? null : body.expiry,
			location: targetsIn(body.geotarget, 'location'),
			device: targetsIn(body.devicetarget, 'device'),
			language: targetsIn(body.languagetarget, 'language'),
			title: body.metatitle,
			description: body.metadescription,
			image: body.metaimage,
			parameters: body.parameters,
			...placesOf(tables, accountId, body),
		};
		const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
		return { ...(present && isReplaced ? EMPTIED : {}), ...Object.fromEntries(sent) };
	};
}

/** What only some services read; a channel is no member of the link's own. */
function placesOf({ campaigns, pixels }: Tables, accountId: number, body: Fields): Fields {
	const { campaign, pixels: given, status, description: note } = body;
	return {
		campaign: campaign === undefined ? undefined : campaigns.idOf(accountId, campaign),
		pixels: Array.isArray(given) ? given.filter((id) => pixels.idOf(accountId, id)) : undefined,
		public: status === undefined ? undefined : status === 'public',
		note,
	};
}

/** `[{ <key>, link }]` as a map from the lower-case name to the link. */
function targetsIn(targets: unknown, key: string): Fields | undefined {
	if (!Array.isArray(targets)) return undefined;
	const entries = targets
		.filter(isRecord)
		.map((target) => [textIn(target, key)?.toLowerCase(), target.link]);
	return Object.fromEntries(entries) as Fields;
}

/** Whether the service takes the picture that was sent, if any. */
export function takesImage({ metaimage }: Fields, { shapes }: Dialect): boolean {
	const path = URL.parse(String(metaimage))?.pathname ?? '';
	return shapes === 'documented' || !metaimage || /\.(?:jpe?g|png)$/i.test(path);
}
