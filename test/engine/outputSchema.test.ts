import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import { Stage, onStage } from './support.ts';

/**
 * The sample outputs (`__schema__`) that n8n's editor shows before a step has run. They are what the nodes really
 * return against the sandbox: `UPDATE_SCHEMAS=1 jest outputSchema` writes them, and this suite compares them.
 */

type JsonSchema = IDataObject & { type: string };

/** Maps from something a user or visitor chose: their keys are data, not members. */
const MAPS = [
	'location',
	'device',
	'topCountries',
	'topReferrers',
	'topBrowsers',
	'topOs',
	'socialCount',
];

/** The schema of a sample, in the shape that n8n keeps: types and members, nothing else. */
function schemaOf(value: unknown): JsonSchema {
	if (value === null || value === undefined) return { type: 'null' };
	if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
	if (typeof value !== 'object') return { type: typeof value };
	const properties = Object.entries(value).map(([name, member]) => [
		name,
		MAPS.includes(name) ? { type: 'object', properties: {} } : schemaOf(member),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) as IDataObject };
}

const NODES = { link: 'LinkManagement', store: 'Store' };

const stage = onStage(new Stage());

test('there is a sample output for every operation', () => {
	expect(OPERATION_SAMPLES).toHaveLength(33 + 4);
});

test.each(OPERATION_SAMPLES)(
	'the sample output of $node $name is what it returns',
	async (sample) => {
		const { json, error } = await runSample(stage, sample, { rows: await sample.rows(stage, 1) });
		expect(error).toBeUndefined();
		const schema = { ...schemaOf(json[0]), version: 1 };
		const [resource = '', operation = ''] = sample.name.split('.');
		const folder = join('nodes', NODES[sample.node], '__schema__', 'v1.0.0', resource);
		const file = join(folder, `${operation}.json`);
		if (process.env.UPDATE_SCHEMAS === '1') {
			mkdirSync(folder, { recursive: true });
			writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
		}
		expect(existsSync(file)).toBe(true);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
	},
);
