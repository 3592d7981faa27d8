import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Fixture } from '../../fixtures.ts';
import { OPERATION_NODES } from '../../operations.ts';

/** The sample outputs that n8n's editor shows before a step has run: what the nodes return. */

type JsonSchema = IDataObject & { type: string };

/** Maps from something a user or visitor chose: their keys are data, not members. */
const MAPS = /^(?:location|device|socialCount|top(?:Countries|Referrers|Browsers|Os))$/;

/** Where n8n looks for the sample output of an operation. */
export function schemaFile({ node, name }: Pick<Fixture, 'node' | 'name'>): string {
	const { folder } = OPERATION_NODES[node];
	return join('nodes', folder, '__schema__', 'v1.0.0', ...`${name}.json`.split(/\.(?!json)/));
}

/** Of what an operation outputs, without the columns of the row that Validate has beside it. */
export function outputSchema(
	{ name }: Pick<Fixture, 'name'>,
	[item = {}]: IDataObject[],
	[row = {}]: IDataObject[],
): JsonSchema {
	const columns = name === 'purchase.validate' ? Object.keys(row) : [];
	const results = Object.entries(item).filter(([member]) => !columns.includes(member));
	return { ...schemaOf(Object.fromEntries(results)), version: 1 };
}

/** The schema of a value, in the shape that n8n keeps: types and members, nothing else. */
function schemaOf(value: unknown): JsonSchema {
	if (value === null || value === undefined) return { type: 'null' };
	if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
	if (typeof value !== 'object') return { type: typeof value };
	const properties = Object.entries(value).map(([name, member]) => [
		name,
		MAPS.test(name) ? { type: 'object', properties: {} } : schemaOf(member),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) as IDataObject };
}
