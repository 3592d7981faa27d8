import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Stage } from './support.ts';
import { byId } from './support.ts';

/**
 * A row of the tables in `operations`: an operation, filled from columns of its rows; what they need, what is sent for
 * each, what comes of it, what it leaves at the service, and what the service refuses.
 */
export type Sample = SampleBase & (SampleRead | SampleWrite);

interface SampleBase extends Run {
	/** Makes what that many rows need, and gives the rows; for a list: that many records, and its one row. */
	rows(stage: Stage, count: number): Promise<IDataObject[]>;
	/** What its service refuses of it, other than the key; left out where nothing can be refused. */
	refused?: Refused;
	examples?: Example[];
}

/** What is sent for a row, and what comes of it. */
interface Run {
	/** The request that it sends, as the API documents print it; `:id` is the row's column of that name. */
	request: string;
	parameters: INodeParameters;
	/** Another request, which it sends before its own. */
	asks?: string | undefined;
	/** The list that is read first, once for all rows. */
	looksIn?: string[];
	body?: OfRow<Fields> | undefined;
	query?: OfRow<Fields>;
	/** One item, or a list of them. */
	output: OfRow<Fields | Fields[]>;
}

/** What a member of a sample says for a row. */
export const ofRow = <T>(
	value: OfRow<T> | undefined,
	row: IDataObject,
	stage: Stage,
): T | undefined => (value instanceof Function ? value(row, stage) : value);

/** The items that come of a row. */
export const outputOf = (
	{ output }: Pick<Run, 'output'>,
	row: IDataObject,
	stage: Stage,
): Fields[] => [ofRow(output, row, stage) ?? {}].flat();

type OfRow<T> = T | ((row: IDataObject, stage: Stage) => T);

/** The operation with something else in its fields. What is left out is as in the table; parameters are added to its. */
export interface Example extends Partial<Run> {
	/** What it does: goes on after the operation's name. */
	title: string;
	/** Default: one of the operation's own. */
	rows?: IDataObject[] | ((stage: Stage) => Promise<IDataObject[]>);
	/** Members of the credential that differ. */
	credential?: IDataObject;
	/** What else is to be seen afterwards. */
	then?: (stage: Stage, json: IDataObject[], rows: IDataObject[]) => Promise<void> | void;
}

interface SampleRead {
	kind: 'read' | 'list' | 'validate';
}

interface SampleWrite {
	/** An upsert finds out for itself what became of a write whose answer was lost. */
	kind: 'write' | 'upsert';
	/** How often the service shows these rows as written. */
	written(stage: Stage, rows: IDataObject[]): Promise<number>;
}

interface Refused {
	row?: IDataObject;
	/** Parameters that differ. */
	parameters?: INodeParameters;
	/** What the service answers. */
	message: string;
	/** What the user reads instead, where the message names a field by its name in the API. */
	told?: string;
	/** Default: that the record may be gone, or the values wrong. */
	advice?: unknown;
	/** The status that belongs to it, in a dialect that has exact ones. */
	status: number;
}

export type Fields = Record<string, unknown>;

/** Records of one kind, as the service has them. */
export interface Collection {
	/** What the service's messages call one. */
	what: string;
	/** The parameter that picks one. */
	locator: string;
	/** `/api/qr` */
	path: string;
	/** Where they are listed. */
	list: string;
	/** Makes one without the node; gives its ID and what it was made with, as a row. */
	make: (stage: Stage, members?: Fields) => Promise<IDataObject>;
	/** What the list says of it. */
	record: (row: IDataObject, stage: Stage) => Fields;
}

/** An id that no record has. */
export const NONE = 987_654;

export const unknown = (what: string, row: IDataObject = {}): { refused: Refused } => ({
	refused: {
		row: { id: NONE, ...row },
		message: `There is no ${what} with the id ${NONE}.`,
		status: 404,
	},
});

export const invalid = (
	message: string,
	given: Omit<Refused, 'message' | 'status'>,
): { refused: Refused } => ({ refused: { ...given, message, status: 422 } });

export const column = (name: string): string => `={{ $json.${name} }}`;
export const idColumn = (name: string): INodeParameters => byId(column(name));

let made = 0;

/** A number that nothing else made here has. */
export function serial(): number {
	made += 1;
	return made;
}

export const named = (what: string): string => `${what} ${serial()}`;
export const webAddress = (): string => `https://example.com/${serial()}`;
export const newDomain = (): string => `https://go-${serial()}.example.com`;

/** Makes one thing after another. */
export async function several(
	count: number,
	make: () => IDataObject | Promise<IDataObject>,
): Promise<IDataObject[]> {
	const rows: IDataObject[] = [];
	while (rows.length < count) rows.push(await make());
	return rows;
}

/** Rows that need nothing at the service. */
export const fresh =
	(row: () => IDataObject) =>
	async (_stage: Stage, count: number): Promise<IDataObject[]> =>
		await several(count, row);

/** Rows that need a record each, and what else they hold. */
export const withRecord =
	(make: (stage: Stage) => Promise<IDataObject>, row: () => IDataObject = () => ({})) =>
	async (stage: Stage, count: number): Promise<IDataObject[]> =>
		await several(count, async () => ({ ...(await make(stage)), ...row() }));

/** How to make a record at this path, with these members unless others are given. */
export const maker =
	(path: string, defaults: () => Fields): Collection['make'] =>
	async (stage, members = {}) => {
		const all = { ...defaults(), ...members };
		return { id: await stage.make(`${path}/add`, all), ...all } as IDataObject;
	};

/** The members of a list, in the order of the service: made one after another. */
export const inOrder = (stage: Stage, records: Fields[]): Fields[] =>
	stage.dialect.listOrder === 'desc' ? records.toReversed() : records;

/** What a list asks for: its first page. */
export const FIRST_PAGE = { limit: '100', page: '1' };

/** The operation that lists them all. */
export const listing = ({
	list,
	make,
	record,
}: Pick<Collection, 'list' | 'make' | 'record'>): SampleBase & SampleRead => ({
	kind: 'list',
	request: `GET ${list}`,
	parameters: { returnAll: true },
	query: FIRST_PAGE,
	rows: async (stage, count) => [{ records: await several(count, async () => await make(stage)) }],
	output: ({ records }, stage) =>
		inOrder(
			stage,
			(records as IDataObject[]).map((row) => record(row, stage)),
		),
});

/** The operation that deletes one. */
export const deletion = ({ what, locator, path, list, make }: Collection): Sample => ({
	kind: 'write',
	request: `DELETE ${path}/:id/delete`,
	parameters: { [locator]: idColumn('id') },
	rows: withRecord(make),
	output: ({ id }) => ({ deleted: true, id }),
	async written(stage, rows) {
		const ids = (await recordsOf(stage, list)).map(idOf);
		return rows.filter(({ id }) => !ids.includes(Number(id))).length;
	},
	...unknown(what),
});

/** What comes of an update that the service answers with a message alone. */
export const updated =
	(what: string) =>
	({ id }: IDataObject): Fields => ({
		success: true,
		id,
		message: `The ${what} has been updated.`,
	});

/** Every record of a list. */
export async function recordsOf(stage: Stage, path: string): Promise<Fields[]> {
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
export const listed =
	(path: string, isWritten: (record: Fields, row: IDataObject) => boolean) =>
	async (stage: Stage, rows: IDataObject[]): Promise<number> => {
		const records = await recordsOf(stage, path);
		return rows.flatMap((row) => records.filter((record) => isWritten(record, row))).length;
	};

export const idOf = ({ id }: Fields): number => Number(id);
export const isOf = (record: Fields, { id }: IDataObject): boolean => idOf(record) === id;
