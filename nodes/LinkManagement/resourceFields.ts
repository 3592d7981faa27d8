// Fields that operations of several resources have, and how an editor shows them.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import * as shared from '../shared/operations/panelFields';
import { clearFields, inExtra } from '../shared/operations/requestFields';
import { fieldFailure, quoted } from '../shared/values/failure';
import { isRecord } from '../shared/values/json';
import { parseJson, type ParseValue } from '../shared/values/input';

export const textField = (displayName: string, name: string, example: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${example}`,
});

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
