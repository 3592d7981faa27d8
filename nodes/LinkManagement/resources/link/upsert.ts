// *Create or Update*: its fields; what it does is in upsertLink.ts.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { includeInputFields, MAPPED, optionsField } from '../../../shared/operations/panelFields';
import type { Operation } from '../../../shared/operations/operation';
import { parseRequiredLine } from '../../../shared/values/input';
import { textIn } from '../../../shared/values/json';
import { additionalFields } from '../../resourceFields';
import { newLinkBody } from './body';
import { wantedRow } from './claims';
import { enteredLink, mappedColumns, unusedColumns } from './columns';
import { addedLinkFields, newLinkFields } from './linkFields';
import { createQrCode, qrCodeOf } from './ownQrCode';
import { createMissingOption, pickPlaces, placeFields } from './places';
import { withRedirectPage } from './redirect';
import { type LinkRow, linkRowOf } from './linkRow';
import { LOST_MEMBERS } from './members';
import { upsertLink } from './upsertLink';
import { utmFormatOption } from './utm';
import { LINK_OUTPUT } from './writtenLink';

/** An AI tool fills in fields, so it is not offered to map columns. */
const mappingModeField: INodeProperties = {
	displayName: 'Mapping Mode',
	name: 'mappingMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: MAPPED,
			description: 'Take the values from the columns of the input',
		},
		{
			name: 'Map Each Field Below',
			value: 'defineBelow',
			description: 'Set the value of each field below',
		},
	],
	default: 'defineBelow',
	description: 'Where the values of the link come from',
	displayOptions: { hide: { '@tool': [true] } },
};

/** Shown in the panel, because a description is hidden until the mouse is over it. */
const columnsNotice: INodeProperties = {
	displayName:
		'Columns such as URL, Alias, Expiry, Campaign and UTM Source fill the fields: <a href="https://www.npmjs.com/package/n8n-nodes-linkstore#columns" target="_blank">all names</a>.',
	name: 'columnsNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { mappingMode: [MAPPED] } },
};

const matchByField: INodeProperties = {
	displayName: 'Match By',
	name: 'matchBy',
	type: 'options',
	options: [
		{ name: 'Alias, or Long URL if a Row Has None', value: 'aliasOrLongUrl' },
		{
			name: 'Custom Alias',
			value: 'alias',
			description: 'The link with this alias; a row without one fails',
		},
		{
			name: 'Long URL',
			value: 'longUrl',
			description: 'The oldest link to this URL with its UTM parameters',
		},
	],
	default: 'aliasOrLongUrl',
	description: 'How to find a link that already exists on the domain below',
};

const ifExistsField: INodeProperties = {
	displayName: 'If Link Exists',
	name: 'ifExists',
	type: 'options',
	options: [
		{ name: 'Keep It', value: 'keep', description: 'Output it unchanged' },
		{ name: 'Update It', value: 'update', description: 'Change what has a value in the row' },
	],
	default: 'update',
	description: `What to do with a link that already exists. An update may empty what the service does not show unless the row has it: ${LOST_MEMBERS}.`,
};

const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description: 'Whether to write nothing, and only say what would be done',
};

/** Not written out below, because a lint rule of n8n wants "a record" there. */
const DESCRIPTION = 'Create a link, or update it if it already exists (upsert)';

export const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update short link',
	description: DESCRIPTION,
	request: { method: 'POST', url: '/api/url/add' },
	columns: mappedColumns,
	entered: enteredLink,
	skipped: { outcome: 'skipped' },
	failed: { outcome: 'failed' },
	output: LINK_OUTPUT,
	body(body, row) {
		if (row.parameters.matchBy === 'alias') parseRequiredLine('Custom Alias', body.custom);
		return newLinkBody(body, row);
	},
	prepare(context, entered) {
		const row = wantedRow(linkRowOf(context, pickPlaces(context)), entered);
		return async (request) => {
			const link = await upsertLink(withRedirectPage(request, row), row);
			const results = { ...link, ...(await qrCodeOf(link, row)) };
			return [{ json: row.isDryRun ? dryRunResult(results, row) : results }];
		};
	},
	fields: [
		mappingModeField,
		columnsNotice,
		matchByField,
		...newLinkFields,
		ifExistsField,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([createMissingOption, dryRunOption, includeInputFields, utmFormatOption]),
	],
};

/** What a dry run says of a row. A link that would be new has no short URL. */
function dryRunResult(link: IDataObject, { notes, columns, json }: LinkRow): IDataObject {
	const { outcome, id = null, shorturl } = link;
	return {
		...link,
		outcome: outcome === 'unchanged' ? outcome : `would be ${textIn(outcome)}`,
		shorturl: id === null ? null : shorturl,
		note: notes.join('. ') || null,
		...(columns && { unused_columns: unusedColumns(json, link) }),
	};
}
