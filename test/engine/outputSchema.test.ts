import { existsSync, globSync, readFileSync } from 'node:fs';

import type { OfferedOperation } from '../operations.ts';
import { OPERATIONS } from '../operations.ts';
import { OPERATION_SAMPLES } from './operationSamples.ts';
import { outputSchema, schemaFile } from './outputSchema.ts';
import { Stage, onStage } from './support.ts';

/** The sample outputs in `__schema__` are what the operations return. `npm run schemas` writes them. */

const stage = onStage(new Stage());

test.each(OPERATION_SAMPLES)('the sample output of $node $name is current', async (sample) => {
	const file = schemaFile(sample);
	const written: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
	const message = `${file} is not what the operation returns: npm run schemas writes it`;
	expect({ [message]: written }).toEqual({ [message]: await outputSchema(stage, sample) });
});

test('every operation has a sample', () => {
	const samples = OPERATION_SAMPLES.map(schemaFile);
	const without = OPERATIONS.filter((operation) => !samples.includes(schemaFileOf(operation)));
	expect(
		without.map(({ node, name }) => `${node}: ${name} has no row in test/engine/operations`),
	).toEqual([]);
});

test('every sample, and every sample output, is of an operation', () => {
	const files = OPERATIONS.map(schemaFileOf);
	const written = globSync('nodes/*/__schema__/**/*.json');
	const others = [...OPERATION_SAMPLES.map(schemaFile), ...written].filter(
		(file) => !files.includes(file),
	);
	expect(others).toEqual([]);
});

const schemaFileOf = ({ node, name }: OfferedOperation): string =>
	schemaFile({ node: node === 'store' ? 'store' : 'link', name });
