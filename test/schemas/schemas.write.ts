import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { prepare, runFixture } from '../engine/helpers/fixture.ts';
import { outputSchema, schemaFile } from '../engine/helpers/outputSchema.ts';
import { onStage, Stage } from '../engine/helpers/support.ts';
import { FIXTURES } from '../fixtures.ts';
import { FILE, writeSavedParameters } from '../savedParameters.ts';

/**
 * `npm run schemas`: runs every operation on n8n's engine against the sandbox, writes the sample outputs that the editor
 * shows, and the parameters that saved workflows rely on.
 */

const stage = onStage(new Stage());

test.each(FIXTURES)('write the sample output of $node $name', async (fixture) => {
	const { rows } = await prepare(stage, fixture, 2);
	const { json, error } = await runFixture(stage, fixture, { rows });
	expect(error).toBeUndefined();
	const file = schemaFile(fixture);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(outputSchema(fixture, json, rows), null, '\t')}\n`);
});

test(`write ${FILE}`, writeSavedParameters);
