import type { IDataObject } from 'n8n-workflow';

import { like, newDomain, outcomesIn, Stage, textOf, writesIn } from '../../helpers/support.ts';
import { newLink, READINGS, type Settings, sheet, storedLink, url } from './sheet.ts';

/** Which link a row of *Create or Update* means: the one with its alias, or its long URL, on its host. */

/** What a row means: a new link, the link of an earlier row, one that was there (by its place), or an error. */
type Meaning = 'created' | 'unchanged' | 'skipped' | number | RegExp;

interface Story {
	dialect?: Settings;
	/** The links that are there. In all texts, `BRANDED` is a domain of the account, and `OWN` the address of the API. */
	links?: IDataObject[];
	/** So many others are between the first link and the next. */
	others?: number;
	/** By default, a row has a long URL that no link has. */
	rows: Array<[row: IDataObject, meaning: Meaning]>;
	matchBy?: 'longUrl';
	credential?: IDataObject;
}

const NEWEST_FIRST: Settings = { listOrder: 'desc', maxLimit: '100' };
const ALREADY = /^The link \S+ is already in item [12]\. /;
const LOOP = /^The link would lead to itself/;
const page = (path: string) => ({ url: `${url}${path}` });

const STORIES: Record<string, Story> = {
	'a bare alias never means a link on a branded domain, though all links are there': {
		links: [{ custom: 'menu', domain: 'BRANDED' }],
		rows: [[{ alias: 'menu' }, 'created']],
	},
	'a whole short URL in the column shorturl says the domain': {
		links: [{ custom: 'menu' }, { custom: 'menu', domain: 'BRANDED' }],
		rows: [[{ shorturl: 'BRANDED/menu', alias: 'menu' }, 1]],
	},
	'in the export of another service, a short URL says nothing': {
		links: [{ custom: 'menu' }],
		rows: [[{ 'Short URL': 'https://s.test/menu', alias: 'menu' }, 0]],
	},
	'a whole short URL as alias says the domain': {
		links: [{ custom: 'menu' }, { custom: 'menu', domain: 'BRANDED' }],
		rows: [[{ alias: 'BRANDED/menu' }, 1]],
	},
	'a namesake on a branded domain does not hide the link behind pages': {
		dialect: NEWEST_FIRST,
		links: [{ custom: 'Sale' }, { custom: 'sale', domain: 'BRANDED' }],
		others: 150,
		rows: [[{ alias: 'sale' }, 0]],
	},
	'where aliases stay as they are sent, the one that was entered counts': {
		dialect: { aliasForm: 'as-sent', maxLimit: '7', readsShort: 'yes' },
		links: [{ custom: 'spring_sale' }, { custom: 'spring-sale' }],
		others: 8,
		rows: [[{ alias: 'spring_sale' }, 0]],
	},
	'also if the other one is on the first page, and the service looks up': {
		dialect: { aliasForm: 'as-sent', maxLimit: '7', readsShort: 'yes', listOrder: 'desc' },
		links: [{ custom: 'spring_sale' }, { custom: 'spring-sale' }],
		others: 8,
		rows: [[{ alias: 'spring_sale' }, 0]],
	},
	'or if it does not': {
		dialect: { aliasForm: 'as-sent', maxLimit: '7', readsShort: 'no', listOrder: 'desc' },
		links: [{ custom: 'spring_sale' }, { custom: 'spring-sale' }],
		others: 8,
		rows: [[{ alias: 'spring_sale' }, 0]],
	},
	'of two such links in one list, too': {
		dialect: { aliasForm: 'as-sent', readsShort: 'no' },
		links: [{ custom: 'spring_sale' }, { custom: 'spring-sale' }],
		rows: [[{ alias: 'spring_sale' }, 0]],
	},
	'pages whose paths differ in case are two, those spelled differently are one': {
		links: [page('watch?v=aBc')],
		rows: [
			[page('watch?v=AbC'), 'created'],
			[page('watch?v=ABC'), 'created'],
			[page('k?b=2&a=1'), 'created'],
			[page('k/?a=1&b=2'), 'unchanged'],
		],
	},
	'rows are matched by alias, and those without one by their long URL': {
		rows: [
			[page('page'), 'created'],
			[{ ...page('page'), alias: 'a' }, 'created'],
			[page('page?utm_source=mail'), 'created'],
			[page('page'), 'unchanged'],
		],
	},
	'those by long URL have the same tags, and are on the domain of the row': {
		dialect: { sameUrl: 'new' },
		matchBy: 'longUrl',
		rows: [
			[{ 'UTM Source': 'mail' }, 'created'],
			[{ 'UTM Source': 'two words & more' }, 'created'],
			[{ 'UTM Source': 'mail', domain: 'BRANDED' }, 'created'],
		],
	},
	'matched by its long URL, a link keeps its alias': {
		matchBy: 'longUrl',
		links: [{ custom: 'printed', ...page('printed') }],
		rows: [[{ ...page('printed'), alias: 'other', 'Meta Title': 'New' }, 0]],
	},
	'an alias is that of an address, on a domain and without one': {
		rows: ['R&D', 'gro\u0308ße', '%41%', 'caf%C3%A9', 'a?b#c', 'promo/spring'].flatMap((alias) => [
			[{ alias }, 'created'],
			[{ alias, domain: 'BRANDED' }, 'created'],
			[{ alias, domain: 'BRANDED/' }, 'unchanged'],
		]),
	},
	'the second row of an alias is refused, unless it says the same': {
		rows: [
			[{ ...page('1'), alias: 'a' }, 'created'],
			[{ ...page('2'), alias: 'b' }, 'created'],
			[{ ...page('1'), alias: 'A' }, 'unchanged'],
			[{ ...page('3'), alias: 'a' }, ALREADY],
		],
	},
	'a row that finds the link of one before it may say less, but nothing else': {
		rows: [
			[{ title: 'Spring', alias: 'first' }, 'created'],
			[{ title: 'Spring' }, 'unchanged'],
			[{}, 'unchanged'],
			[{ title: 'Autumn' }, ALREADY],
			[{ title: 'Winter', alias: 'own' }, 'created'],
		],
	},
	'rows without an alias that say the same are one link for each page': {
		rows: [
			[{ ...page('1'), expiry: '2099-01-01' }, 'created'],
			[{ ...page('1'), expiry: '2099-01-01' }, 'unchanged'],
			[page('2'), 'created'],
			[page('2'), 'unchanged'],
		],
	},
	'a page to which an earlier row leads a link has that link': {
		dialect: { readsShort: 'no' },
		links: [{ custom: 'menu' }],
		rows: [
			[{ ...page('moved'), alias: 'menu' }, 0],
			[page('moved'), 'unchanged'],
		],
	},
	'rows of two sheets are two, though they have one number': {
		rows: [
			[{ ...page('1'), alias: 'a', row_number: 2 }, 'created'],
			[{ ...page('2'), alias: 'a', row_number: 2 }, /^The link a is already in row 2\. /],
		],
	},
	'a second row with another channel does not say the same': {
		rows: [
			[{ alias: 'both', Channel: 'Mail' }, 'created'],
			[{ alias: 'both', Channel: 'Social' }, ALREADY],
			[{ alias: 'both', Channel: 'Mail' }, 'unchanged'],
		],
	},
	'a sheet as a team writes it: every row says what happened to it': {
		rows: [
			[{ URL: `${url}straße?für=dich`, Kampagne: 'left alone' }, 'created'],
			[{ URL: ` ${url}space `, Alias: ' space ', Expiry: '31.12.2099' }, 'created'],
			[{ URL: 'example.com/tag', Alias: 'tag', Expiry: 72_850.75 }, 'created'],
			[{ URL: 'example dot com', Alias: 'wrong' }, /^Column "URL" must be a web address/],
			[{ ...page('a'), Campaign: 'Sommer Aktion' }, 'created'],
			[{ ...page('b'), Campaign: 'SOMMER  AKTION' }, 'created'],
			[{ URL: '', Alias: '' }, 'skipped'],
		],
	},
	'a link does not lead to itself, is not sent, and stops no other row': {
		rows: [
			[{ alias: 'one', url: 'OWN/one?utm_source=x' }, LOOP],
			[{ alias: 'two', url: 'OWN/one' }, 'created'],
		],
	},
	'a link does not lead to itself where links without a domain are': {
		dialect: { mainDomain: 'other' },
		credential: { shortDomain: 'main.example.net' },
		rows: [[{ url: 'https://main.example.net/menu', alias: 'menu' }, LOOP]],
	},
};

/** The domain and the address of this stage in place of their names. */
function onStage<T>(value: T, stage: Stage, domain: string): T {
	const text = JSON.stringify(value).replaceAll('BRANDED', domain);
	return JSON.parse(text.replaceAll('OWN', stage.sandbox.linkUrl)) as T;
}

/** Makes the links. @returns their IDs */
async function present(stage: Stage, links: IDataObject[], others: number): Promise<number[]> {
	const ids: number[] = [];
	for (const [at, link] of links.entries()) {
		if (at === 1) stage.sandbox.links.addLinks(stage.linkAccount.id, others, 0);
		ids.push(await newLink(stage, link));
	}
	return ids;
}

const outcomeOf = (meaning: Meaning): string => {
	if (meaning instanceof RegExp) return 'failed';
	return typeof meaning === 'number' ? 'updated' : meaning;
};

const CASES = Object.entries(READINGS).flatMap(([reading, dialect]) =>
	Object.entries(STORIES).map(([what, story]) => ({ reading, dialect, what, story })),
);

/** A dry run says what then happens, no other link changes, and the next night writes nothing. */
test.each(CASES)('$what, $reading', async ({ dialect, story }) => {
	await using stage = await Stage.opened({ ...dialect, ...story.dialect });
	const domain = await newDomain(stage);
	const { links = [], rows, others = 0, matchBy = 'aliasOrLongUrl', credential = {} } = story;
	const ids = await present(stage, onStage(links, stage, domain), others);
	const before = ids.map((id) => storedLink(stage, id));
	const given: IDataObject[] = rows.map(([row]) =>
		onStage({ ...('URL' in row ? {} : page('new')), ...row }, stage, domain),
	);
	const meanings = rows.map(([, meaning]) => meaning);
	const run = async (dryRun: boolean) =>
		await sheet(
			stage,
			given,
			{ matchBy, options: { createMissing: true, dryRun } },
			{ credential },
		);

	const dry = await run(true);
	const said = outcomesIn(dry).map((outcome) => textOf(outcome).replace('would be ', ''));
	expect([said, writesIn(dry)]).toEqual([meanings.map(outcomeOf), []]);
	const { json } = await run(false);
	expect(json.map(({ Kampagne }) => Kampagne)).toEqual(given.map(({ Kampagne }) => Kampagne));
	expect(json).toMatchObject(
		meanings.map((meaning) => ({
			outcome: outcomeOf(meaning),
			...(meaning instanceof RegExp ? { error: like(meaning) } : {}),
			...(typeof meaning === 'number' ? { id: ids[meaning] } : {}),
		})),
	);
	const again = await run(false);
	const calm = meanings.map((meaning) =>
		meaning === 'skipped' || meaning instanceof RegExp ? outcomeOf(meaning) : 'unchanged',
	);
	expect([outcomesIn(again), writesIn(again)]).toEqual([calm, []]);
	for (const [at, { id, alias, longurl }] of before.entries()) {
		const by = meanings.indexOf(at);
		expect(storedLink(stage, id)).toMatchObject({ alias, longurl: given[by]?.url ?? longurl });
	}
});
