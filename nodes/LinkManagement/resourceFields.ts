// Fields that operations of several resources have, and how an editor shows them.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import * as shared from '../shared/operations/panelFields';
import { clearFields, inBody, inExtra } from '../shared/operations/requestFields';
import { fieldFailure, quoted } from '../shared/values/failure';
import { isRecord, mapIn, pickedValue, recordsIn } from '../shared/values/json';
import { isBlank, parseJson, type ParseValue } from '../shared/values/input';

export const textField = (displayName: string, name: string, example: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${example}`,
});

interface Rows {
	displayName: string;
	name: string;
	description: string;
	/** The name of one row: `Target`. */
	row: string;
	values: INodeProperties[];
	/** The name of the API. */
	property: string;
	parse: (row: IDataObject) => IDataObject[string];
}

/** A field with several rows, of which empty ones are left out. The API replaces all that a record has by these. */
export function rowsField({ row, values, property, parse, ...field }: Rows): INodeProperties {
	const name = row.toLowerCase();
	const parseRows = (_label: string, rows: unknown): IDataObject[string] =>
		recordsIn(mapIn(rows)[name])
			.filter((each) => !Object.values(each).map(pickedValue).every(isBlank))
			.map(parse);
	return {
		...field,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row}`,
		default: {},
		options: [{ displayName: row, name, values }],
		routing: inBody(property, parseRows, []),
	};
}

export const parseJsonObject: ParseValue<IDataObject> = (label, value) => {
	const found = parseJson(label, value);
	if (isRecord(found)) return found;
	throw fieldFailure(label, `must be a JSON object, but is ${quoted(value)}`);
};

const extraFieldsField: INodeProperties = {
	displayName: 'Extra Fields (JSON)',
	name: 'extraFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "team": 3 }',
	description: 'Other fields that your service accepts, as a JSON object',
	routing: inExtra('body', 'extraFields', parseJsonObject),
};

/** Further members of a query: some services search, date or filter beyond the document. */
export const extraQueryField: INodeProperties = {
	displayName: 'Extra Query (JSON)',
	name: 'extraQuery',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "date_from": "2026-01-01" }',
	description: 'Other query parameters that your service accepts, as a JSON object',
	routing: inExtra('query', 'extraQuery', parseJsonObject),
};

export const extraQueryOption: INodeProperties = shared.optionsField([extraQueryField]);

/** Not offered to agents. */
export const includeInputFieldsAlone: INodeProperties = {
	...shared.optionsField([shared.includeInputFields]),
	displayOptions: { hide: { '@tool': [true] } },
};

export const additionalFields = (fields: readonly INodeProperties[]): INodeProperties =>
	shared.additionalFields([...fields, extraFieldsField]);

export const updateFields = (fields: readonly INodeProperties[]): INodeProperties =>
	shared.updateFields([...fields, extraFieldsField, ...clearFields(fields)]);
