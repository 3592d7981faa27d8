// What an operation is: what n8n shows of it, and what becomes of a row. execute.ts runs it.

import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { ApiRequest, Send } from '../http/service';
import type { NamedList } from '../lists/namedList';
import type { RecordIndex } from '../lists/recordIndex';
import type { ParameterValues } from '../values/input';
import type { WriteLog } from './batch';
import type { Session } from './session';

export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	/** The path is that of the API document; a placeholder is named after the parameter that fills it. */
	request: { method: IHttpRequestMethods; url: string };
	/** In the order of the editor. For which resource and operation they are shown is added by `nodeProperties`. */
	fields: readonly INodeProperties[];
	/** Whether it changes nothing at the service, although it is no GET. */
	isSafe?: boolean;
	/** With *Map Automatically*, the columns of an input row that fill fields. */
	columns?: (json: IDataObject) => Columns;
	/** Puts what these columns hold in the place of what was entered. @returns undefined if there is nothing to do for the row */
	entered?: (entered: IDataObject, columns: Columns, row: Row) => IDataObject | undefined;
	/** What a row outputs if there is nothing to do for it, and beside its columns if it failed. */
	skipped?: IDataObject;
	failed?: IDataObject;
	/** Whether the columns of the row are output without an option that says so. An agent knows what it entered. */
	keepsColumns?: boolean;
	output?: OutputColumns;
	/** Adds to the body what no single field holds. */
	body?: (body: IDataObject, row: Row) => IDataObject;
	/** Names that the operation itself adds to the query. */
	ownQuery?: readonly string[];
	/** Reads the other fields, before anything is sent. @returns what executes the row. Default: one request */
	prepare?: (row: Row, body: IDataObject) => Execute;
	/** Turns the response to that one request into results. Default: the body is the only one. */
	toItems?: ToItems;
}

export type ToItems = (body: IDataObject, request: RowRequest, row: Row) => IDataObject[];

export type Execute = (request: RowRequest) => Promise<RowResult[]>;

export interface RowRequest extends ApiRequest {
	query: IDataObject;
	body: IDataObject;
	/** Of the records in the path, by the parameters that picked them. */
	ids: Record<string, number>;
}

/** How the results of a row stand beside its columns: see `mergeIntoRow`. */
export interface OutputColumns {
	/** The names of the results that come first. */
	first: readonly string[];
}

/** The columns of a row that fill fields: those with a value, by what they fill, such as a member of the body. */
export type Columns = ReadonlyMap<string, Cell>;

export interface Cell {
	column: string;
	value: IDataObject[string];
}

export interface Row {
	readonly node: IExecutePaginationFunctions;
	/** What the user entered, evaluated. */
	readonly parameters: ParameterValues;
	/** The columns of the input item. */
	readonly json: IDataObject;
	readonly isToolCall: boolean;
	/** Undefined without *Map Automatically*. */
	readonly columns: Columns | undefined;
	/** The address of links without a domain. */
	readonly shortBase: string;
	/** IANA names: the workflow's time zone, in which users enter times, and the service's. @throws Failure if that is wrong */
	readonly zones: () => { from: string; to: string };
	/** Checks which record a locator picks; `id` gives its id. One in a collection is passed as `held`. */
	readonly pick: (locator: INodeProperties, held?: unknown) => void;
	/** Of a record that was picked, when the row is executed. */
	readonly id: (name: string) => number;
	/** How messages name the row. */
	readonly label: string;
	/** How many rows are not executed yet, with this one. */
	readonly rowsLeft: number;
	readonly session: Session;
	/** Its writes, which *Retry On Fail* does not repeat. */
	readonly writes: WriteLog;
	/** For reads, and for an operation's only write; others are sent in `writes.once`. */
	readonly send: Send;
	/** A list, to look into, and to note in it what a run changes. */
	readonly list: (list: NamedList) => RecordIndex;
	/** @param check called when all rows of the run were executed; throws if the results must not be believed */
	readonly atEnd: (check: () => Promise<void>) => void;
}

export type RowResult = Pick<INodeExecutionData, 'json' | 'binary'>;

export interface Resource {
	name: string;
	value: string;
	defaultOperation: string;
	operations: readonly Operation[];
}

/** A resource with the operations that its file exports, by name. @param defaultOperation its value */
export const resource = (
	name: string,
	value: string,
	defaultOperation: string,
	exported: Readonly<Record<string, Operation>>,
): Resource => {
	const operations = Object.values(exported).sort((a, b) => a.name.localeCompare(b.name));
	return { name, value, defaultOperation, operations };
};
