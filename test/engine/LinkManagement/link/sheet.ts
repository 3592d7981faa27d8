import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../../../sandbox/dialects.ts';
import { record } from '../../../n8n-host/json.ts';
import type { NodeSettings, Stage, StageResult } from '../../helpers/support.ts';
import { CONTINUE } from '../../helpers/support.ts';

/** *Create or Update* with *Map Automatically*, and what the service has of links before and after it. */

export type Settings = Partial<Dialect>;

export const url = 'https://example.com/';
export const CREATE = 'POST /api/url/add';
export const SHARED = 'https://shared.example.net';
export const CREATE_MISSING = { options: { createMissing: true } };

/** As installations behave, and as the document reads. */
export const READINGS: Record<string, Settings> = {
	'as installed': { aliases: 'per-domain' },
	'as documented': {
		aliases: 'per-domain',
		aliasForm: 'as-sent',
		readsShort: 'no',
		createReadsPlaces: 'no',
		linkUpdate: 'merges',
	},
};

/** Runs the rows of a sheet; a row that fails does not end the run. */
export async function sheet(
	stage: Stage,
	rows: IDataObject[],
	parameters: INodeParameters = {},
	settings: NodeSettings = {},
): Promise<StageResult> {
	const given = { mappingMode: 'autoMapInputData', ...parameters };
	return await stage.link('link.upsert', given, { rows, settings: CONTINUE, ...settings });
}

/** Makes a link without the node. */
export const newLink = async (stage: Stage, members: IDataObject = {}): Promise<number> =>
	await stage.make('/api/url/add', { url, ...members });

/** A link as the service has it. */
export const storedLink = (stage: Stage, id: unknown) =>
	record(stage.sandbox.tables.links.find(id));
