import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Exchange, Fields, Fixture, Need, Run } from '../../fixtures.ts';
import { withMembers } from '../../fixtures.ts';
import { DAY_MS, datetime, isoTimestamp } from '../../../sandbox/fields.ts';
import { SHARED_DOMAIN } from '../../../sandbox/link/linkFields.ts';
import { translated } from '../../../sandbox/store/routes.ts';
import { clock } from './clock.ts';
import type { NodeSettings, Stage, StageResult } from './support.ts';
import { A_NUMBER, DATETIME, like, textOf } from './support.ts';

/** Turns a run of a fixture into input rows, and into what has to come of them. */

/** What a run begins with, and what has to come of it. */
export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** What `{name}` means in a fixture beside the columns of the row; the first ones match any such value. */
const WORDS = ({ sandbox, email, linkAccount, dialect }: Stage): Fields => ({
	number: A_NUMBER,
	datetime: DATETIME,
	timestamp: like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.000000)?Z$/),
	list: expect.any(Array),
	service: sandbox.linkUrl,
	email,
	username: email.split('@')[0],
	account: linkAccount.id,
	license: translated('Regular License', dialect),
	invalid: translated('Invalid purchase code', dialect),
	pixeltype: dialect.shapes === 'installed' ? 'reddit' : 'forum',
});

/** What the APIs cannot make. Gives the column that the fixture names, if any. */
const MAKERS: Record<string, (stage: Stage, members: IDataObject) => unknown> = {
	splashPage: ({ sandbox, linkAccount }, { name }) =>
		sandbox.tables.splashPages.add(linkAccount.id, { name, date: datetime(clock()) }),
	overlay: ({ sandbox, linkAccount }, overlay) =>
		sandbox.tables.overlays.add(linkAccount.id, { ...overlay, date: datetime(clock()) }),
	item: ({ sandbox, storeAccount }, item) => sandbox.store.addItem(storeAccount.id, item),
	/** `days`: of support that are left. */
	purchase: ({ sandbox }, { item, days, ...members }) =>
		sandbox.store.addPurchase(Number(item), {
			...members,
			...(typeof days === 'number'
				? { supported_until: isoTimestamp(clock() + days * DAY_MS) }
				: {}),
		}),
	/** Somebody opens a short URL, or scans a QR code, twice. */
	visits: async (_stage, { address }) => {
		for (let visits = 0; visits < 2; visits += 1) {
			await fetch(textOf(address), { redirect: 'manual' });
		}
	},
};

let serial = 1000;

/** A copy with the columns filled in. `{id}` alone keeps its type, `{text:id}` is a text, `{/…/}` matches a text. */
function filled(template: unknown, columns: Fields): unknown {
	if (Array.isArray(template)) return template.map((entry) => filled(entry, columns));
	if (typeof template === 'object' && template !== null) {
		const members = Object.entries(template).map(([name, value]) => [name, filled(value, columns)]);
		return Object.fromEntries(members) as Fields;
	}
	if (typeof template !== 'string') return template;
	const [, pattern] = /^\{\/(.*)\/\}$/s.exec(template) ?? [];
	if (pattern !== undefined) return like(new RegExp(pattern));
	const [, name = ''] = /^\{(\w+)\}$/.exec(template) ?? [];
	if (name in columns) return columns[name];
	return template.replace(/\{(?:text:)?(\w+)\}/g, (whole, column: string) =>
		column in columns ? String(columns[column]) : whole,
	);
}

/** Makes what a row needs. @returns its columns */
async function made(stage: Stage, needs: Run['needs'] = {}, before: Fields = {}): Promise<Fields> {
	serial += 1;
	const columns: Fields = { ...before, n: serial };
	for (const [column, need] of Object.entries(needs)) {
		const { id, ...members } = await make(stage, need, { ...WORDS(stage), ...columns });
		Object.assign(columns, members, id === undefined ? {} : { [column]: id });
	}
	return columns;
}

/** @returns the members of the record, its ID and, of a QR code, its link */
async function make(stage: Stage, need: Need, columns: Fields): Promise<Fields> {
	if ('make' in need) {
		const members = filled(need.with ?? {}, columns) as IDataObject;
		const make = MAKERS[need.make];
		if (!make) throw new Error(`MAKERS in test/engine/helpers/fixture.ts has no "${need.make}"`);
		return { ...members, id: await make(stage, members) };
	}
	const body = filled(need.body, columns) as Fields | undefined;
	const { id, link } = await stage.api(filled(need.request, columns) as string, body);
	return { ...body, ...(link === undefined ? {} : { link }), id: id && Number(id) };
}

/** The run, with what differs in the dialect of a stage. */
function inDialect<T extends Run>(run: T, { dialect }: Stage): T {
	const settings: Fields = { ...dialect };
	const differing = run.where?.find((each) =>
		Object.entries(each.dialect).every(([name, value]) => settings[name] === value),
	);
	const output = differing?.differs && { output: withMembers(run.output, differing.differs) };
	return { ...run, ...differing, ...output };
}

/** A row with its columns filled in. */
export const filledRow = (stage: Stage, row: Fields): IDataObject =>
	filled(row, WORDS(stage)) as IDataObject;

/** Makes what the run needs. @param count of its rows; of a list, of its records */
export async function prepare(stage: Stage, found: FixtureRun, count = 1) {
	const run = inDialect(found, stage);
	const fill = (template: unknown, columns: Fields): unknown =>
		filled(template, { ...WORDS(stage), ...columns });
	const contexts: Fields[] = [];
	while (contexts.length < (run.rows || run.records ? 1 : count)) {
		const columns = await made(stage, run.needs);
		contexts.push({ ...columns, ...(fill(run.row ?? {}, columns) as Fields) });
	}
	const [first = {}] = contexts;
	const records: Fields[] = [];
	while (run.records && records.length < (run.count ?? count))
		records.push(await made(stage, run.records, first));

	const rows = (run.rows?.map((row) => fill(row, first)) ?? contexts) as IDataObject[];
	// The operation always outputs the columns of its row.
	const isBeside = run.name === 'purchase.validate';
	const itemsOf = (row: Fields | undefined, output: unknown, columns: Fields): unknown[] =>
		asList(fill(output, columns)).map(
			(item) => Object.assign({}, isBeside && row, item) as unknown,
		);
	const outputs = run.rows
		? asList(run.output).map((output, at) => itemsOf(rows[at], output, first))
		: contexts.map((columns) => itemsOf(columns, run.output, columns));
	const listedItems = records.map((columns) => fill(run.output, columns));
	const exchanges = contexts.flatMap((columns, at) =>
		run.requests
			.filter(({ once }) => !once || at === 0)
			.map((exchange) => fill(exchange, { ...records[0], ...columns }) as Exchange),
	);
	return {
		rows,
		exchanges,
		/** The items that have to come of each row. */
		outputs: run.records ? [listed(stage, run, listedItems)] : outputs,
		/** What its error has to say. */
		error: fill(typeof run.error === 'string' ? { message: run.error } : run.error, first),
		binary: fill(run.binary, first),
	};
}

const asList = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

/** A domain of the service, which is in every list of domains. */
const SHARED = { id: null, domain: SHARED_DOMAIN, redirectroot: '', redirect404: '' };

/** The items of a list in the order of the service, as many as the parameters say. */
function listed(
	{ dialect: { listOrder, sharedDomains } }: Stage,
	{ node, name, parameters }: FixtureRun,
	items: unknown[],
): unknown[] {
	const isOfLinks = name.startsWith('link.');
	const isNewestFirst =
		node === 'store' || listOrder === 'desc' || (isOfLinks && listOrder === 'links-desc');
	const { returnAll, limit } = parameters;
	const isShared = name === 'domain.getAll' && sharedDomains === 'listed';
	const all = [...(isNewestFirst ? items.toReversed() : items), ...(isShared ? [SHARED] : [])];
	return all.slice(0, returnAll === true ? all.length : Number(limit));
}

/** The run of a fixture, or of one of its cases. */
export type FixtureRun = Run & Pick<Fixture, 'node' | 'name'>;

/** Runs the operation on these rows. */
export async function runFixture(
	stage: Stage,
	{ node, name, parameters, credential = {}, onError }: FixtureRun,
	settings: NodeSettings = {},
): Promise<StageResult> {
	return await stage.run(node, name, parameters as INodeParameters, {
		...settings,
		settings: { ...(onError ? { onError } : {}), ...settings.settings },
		credential: { ...(credential as IDataObject), ...settings.credential },
	});
}
