// Fields that operations of several resources have, and how an editor shows them.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import * as shared from '../shared/operations/fields';
import { clearFields, inBody, inQuery } from '../shared/operations/sentFields';
import { inputFailure, quoted } from '../shared/values/failure';
import { isRecord, mapIn } from '../shared/values/json';
import { parsedJson, type ParseValue } from '../shared/values/input';

export const textField = (displayName: string, name: string, example: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${example}`,
});

const jsonObject: ParseValue<IDataObject> = (label, value) => {
	const found = parsedJson(label, value);
	if (isRecord(found)) return found;
	throw inputFailure(`${label} must be a JSON object, but is ${quoted(value)}`);
};

export const extraFieldsField: INodeProperties = {
	displayName: 'Extra Fields (JSON)',
	name: 'extraFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "pixels": [3] }',
	description: 'Other fields that your service accepts, as a JSON object',
	routing: inBody('extraFields', jsonObject),
};

/** Further members of a query: some services search, date or filter beyond the document. */
export const extraQueryField: INodeProperties = {
	displayName: 'Extra Query (JSON)',
	name: 'extraQuery',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "date_from": "2026-01-01" }',
	description: 'Other query parameters that your service accepts, as a JSON object',
	routing: inQuery('extraQuery', jsonObject),
};

export const extraQueryOption: INodeProperties = shared.optionsField([extraQueryField]);

/** A body or a query with the members of its extra field. @param names that the node sends itself @throws Failure if one is extra */
export function withExtra(
	{ name, displayName }: INodeProperties,
	names: readonly string[],
	sent: IDataObject,
): IDataObject {
	const { [name]: held, ...own } = sent;
	const extra = mapIn(held);
	const taken = Object.keys(extra).find((each) => names.includes(each) || each in own);
	if (taken === undefined) return { ...extra, ...own };
	throw inputFailure(
		`${displayName} has ${quoted(taken)}, which the node sends itself`,
		'Remove it there, and use the field of the node',
	);
}

/** Not offered to agents. */
export const includeInputFieldsAlone: INodeProperties = {
	...shared.optionsField([shared.includeInputFields]),
	displayOptions: { hide: { '@tool': [true] } },
};

export const additionalFields = (fields: readonly INodeProperties[]): INodeProperties =>
	shared.additionalFields([...fields, extraFieldsField]);

export const updateFields = (fields: readonly INodeProperties[]): INodeProperties =>
	shared.updateFields([...fields, extraFieldsField, ...clearFields(fields)]);
