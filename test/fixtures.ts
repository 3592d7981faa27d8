import { globSync, readFileSync } from 'node:fs';

import type { Dialect } from '../sandbox/dialects.ts';
import { isRecord } from './n8n-host/json.ts';

/**
 * What each operation sends, gets and outputs: one JSON file per operation, `test/operations/<node>/<resource>/<operation>.json`,
 * for the operations in `nodes/<node>/resources`. CONTRIBUTING.md says how to write one.
 */

export type Fields = Record<string, unknown>;

/** A request as the API document prints it, and what `documented`, the default dialect, responds. */
export interface Exchange {
	/** `PUT /api/url/{id}/update` */
	request: string;
	query?: Fields;
	body?: Fields;
	/** It is sent for the first row, which tells all others. */
	once?: boolean;
	response?: unknown;
	/** Status of the response, in a replay. Default: 200. */
	status?: number;
}

/** A record that a row needs: made by a request, or by its owner in the service's web interface. */
export type Need = { request: string; body?: Fields } | { make: string; with?: Fields };

/** One run of the operation. In its strings, `{name}` is a column of the row, or one of `WORDS` in `engine/fixture.ts`. */
export interface Run {
	/** The record that each row needs, by the column that gets its ID. */
	needs?: Record<string, Need>;
	/** Of a list: the same for each record that it shows. */
	records?: Record<string, Need>;
	/** How many of these records there are. Default: as many as the test wants. */
	count?: number;
	/** Further columns of the input row. */
	row?: Fields;
	/** The input rows, if there are several, or no other columns. */
	rows?: Fields[];
	/** As a workflow saves them. Those of a case are added to those of the file. */
	parameters: Fields;
	credential?: Fields;
	onError?: 'continueRegularOutput';
	requests: Exchange[];
	/** The items that come of each row; of `rows`, a list with the items of each; of a list, the item of each record. */
	output?: unknown;
	/** The files of each item. */
	binary?: Fields;
	/** The error instead, and its advice. Without `requests`, nothing is sent. */
	error?: string | { message: string; description: string };
	/** What differs where a service has these settings. */
	where?: Array<Partial<Run> & { dialect: Partial<Dialect>; differs?: Fields | Fields[] }>;
	/** The settings of its service. Default: those of every preset. */
	dialect?: Partial<Dialect>;
	/** The service gives the responses of the fixture, instead of the sandbox. */
	replay?: boolean;
}

/** The operation with other parameters. What it does not say is as in the file. */
export interface Case extends Run {
	/** Goes on after the operation's name. */
	title: string;
}

/** What the service refuses, other than the key. */
export interface Refused {
	row?: Fields;
	parameters?: Fields;
	message: string;
	/** Default: that the record may be gone, or the values wrong. */
	advice?: string;
	/** The status, in a dialect that has exact ones. */
	status: number;
}

export interface Fixture extends Run {
	file: string;
	node: 'linkManagement' | 'store';
	/** `link.create` */
	name: string;
	refused?: Refused;
	cases: Case[];
}

type File = Omit<Fixture, 'file' | 'node' | 'name' | 'cases'> & {
	/** What each item has beside the members of the output. */
	differs?: Fields[];
	cases?: CaseInFile[];
};

/** A case, and how it differs from what the file says of the operation. */
interface CaseInFile extends Partial<Case> {
	title: string;
	/** The body of the last request. */
	body?: Fields;
	/** Members of the output; with `rows`, of each. */
	differs?: Fields | Fields[];
}

const FOLDER = 'test/operations';

const parsed = (file: string, reviver?: (name: string, value: unknown) => unknown): unknown =>
	JSON.parse(readFileSync(file, 'utf8'), reviver);

/** What several files have in common, by the word that stands for it. */
const SHARED = parsed(`${FOLDER}/shared.json`) as Fields;

/** `"@link"` is what shared.json has of that name; `{ "...": "@item", "name": "x" }` the same with another name. */
function withShared(_name: string, value: unknown): unknown {
	if (typeof value === 'string') return SHARED[value] ?? value;
	if (!isRecord(value) || !('...' in value)) return value;
	const { '...': shared, ...own } = value;
	return Object.assign({}, shared, own);
}

/** The file of an operation. @param folder `LinkManagement` @param name `link.create` */
export const fixtureFile = (folder: string, name: string): string =>
	`${FOLDER}/${folder}/${name.replace('.', '/')}.json`;

export const FIXTURES: Fixture[] = globSync(`${FOLDER}/*/*/*.json`).sort().map(readFixture);

function readFixture(file: string): Fixture {
	const [, , folder = '', resource = '', operation = ''] = file.replace(/\.json$/, '').split('/');
	const { cases = [], differs: items, ...main } = parsed(file, withShared) as File;
	return {
		...main,
		...(items ? { output: withMembers(main.output, items) } : {}),
		...(main.where ? { where: main.where.map((where) => withItems(main.output, where)) } : {}),
		file,
		node: folder === 'Store' ? 'store' : 'linkManagement',
		name: `${resource}.${operation}`,
		cases: cases.map((given) => caseOf(main, given)),
	};
}

type Where = NonNullable<Run['where']>[number];

/** What differs, with the items written out. */
function withItems(output: unknown, where: Where): Where {
	const { differs, ...rest } = where;
	return Array.isArray(differs) ? { ...rest, output: withMembers(output, differs) } : where;
}

function caseOf(main: File, { body, differs, ...given }: CaseInFile): Case {
	const { requests, output } = main;
	return {
		...main,
		...(given.error === undefined ? {} : { requests: [] }),
		...(body === undefined ? {} : { requests: withBody(requests, body) }),
		...(differs === undefined ? {} : { output: withMembers(output, differs) }),
		...given,
		parameters: { ...main.parameters, ...given.parameters },
	};
}

/** The output of the file with other members; with `rows`, for each of them. */
export function withMembers(output: unknown, differs: Fields | Fields[]): unknown {
	return Array.isArray(differs)
		? differs.map((members) => Object.assign({}, output, members) as unknown)
		: Object.assign({}, output, differs);
}

/** The requests, the last one with another body; what is sent then has another response. */
function withBody(requests: Exchange[], body: Fields): Exchange[] {
	const { response: _response, ...last } = requests.at(-1) ?? { request: '' };
	return [...requests.slice(0, -1), { ...last, body }];
}

/** @throws Error if the operation has no file */
export function fixtureOf(node: Fixture['node'], name: string): Fixture {
	const found = FIXTURES.find((fixture) => fixture.node === node && fixture.name === name);
	if (!found) throw new Error(`${name} of ${node} has no file in ${FOLDER}`);
	return found;
}
