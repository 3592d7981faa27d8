import { existsSync, globSync, readFileSync } from 'node:fs';

import { FIXTURES } from '../fixtures.ts';
import { outputSchema, schemaFile } from './outputSchema.ts';
import { onStage, Stage } from './support.ts';

/** The sample outputs in `__schema__` are what the operations return. `npm run schemas` writes them. */

const stage = onStage(new Stage());

test.each(FIXTURES)('the sample output of $node $name is current', async (fixture) => {
	const file = schemaFile(fixture);
	const written: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
	const message = `${file} is not what the operation returns: npm run schemas writes it`;
	expect({ [message]: written }).toEqual({ [message]: await outputSchema(stage, fixture) });
});

test('every sample output is of an operation', () => {
	const written = globSync('nodes/*/__schema__/**/*.json');
	expect(written.sort()).toEqual(FIXTURES.map(schemaFile).sort());
});
