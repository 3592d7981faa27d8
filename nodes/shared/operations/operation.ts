// What an operation is: data that n8n shows (`Operation`), and what becomes of a row (`Plan`). runOperation.ts runs it.

import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

import type { ApiRequest } from '../http/connection';
import type { Form } from './form';
import type { NamedLists } from './picks';
import type { Pagination } from './runOperation';
import type { Row, RowResult } from './row';
import type { Columns } from './sentFields';
import type { GetParameter } from '../values/input';

export interface OperationData {
	/** The path is that of the API document; a placeholder is named after the parameter that fills it. */
	request: { method: IHttpRequestMethods; url: string };
	/** In the order of the editor. For which resource and operation they are shown is added by `nodeProperties`. */
	fields: readonly INodeProperties[];
}

export interface Operation extends OperationData {
	name: string;
	/** Saved in workflows. */
	value: string;
	action: string;
	description: string;
	pagination: (data: OperationData) => Pagination;
}

export interface Plan {
	/** Whether it changes nothing at the service, although it is no GET. */
	isRead?: boolean;
	/** Where names are looked up, by the locators that may hold them. */
	lists?: NamedLists;
	/** The columns of an input row that fill fields; undefined if the fields are filled by hand. */
	columns?: (parameter: GetParameter, row: IDataObject) => Columns | undefined;
	/** Changes what was entered, before it is read. @returns undefined if there is nothing to do for the row */
	entered?: (entered: IDataObject, form: Form) => IDataObject | undefined;
	/** What a row outputs if there is nothing to do for it, and beside its columns if it failed. */
	skipped?: IDataObject;
	failed?: IDataObject;
	/** Adds to the body, or to the query, what no single field holds. */
	body?: (body: IDataObject, form: Form) => IDataObject;
	query?: (query: IDataObject) => IDataObject;
	/** Reads the rest of the form, before anything is sent. @returns what is done at the turn of the row. Default: one request */
	prepare?: (form: Form) => Perform;
	/** Turns the response to that one request into results. Default: the body is the only one. */
	results?: Results;
}

export type Results = (body: IDataObject, request: RowRequest, form: Form) => IDataObject[];

/** Sends the requests of a row, at its turn. */
export type Perform = (request: RowRequest, row: Row) => Promise<RowResult[]>;

export interface RowRequest extends ApiRequest {
	query: IDataObject;
	body: IDataObject;
	/** Of the records in the path, by the parameters that picked them. */
	ids: Record<string, number>;
}

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
