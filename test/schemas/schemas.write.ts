import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { OPERATION_SAMPLES } from '../engine/operationSamples.ts';
import { outputSchema, schemaFile } from '../engine/outputSchema.ts';
import { onStage, Stage } from '../engine/support.ts';
import { addNewNames } from '../savedNames.ts';

/**
 * `npm run schemas`: runs every operation on n8n's engine against the sandbox, writes the sample outputs that the editor
 * shows, and adds the names of new operations and parameters to those that must stay.
 */

const stage = onStage(new Stage());

test.each(OPERATION_SAMPLES)('write the sample output of $node $name', async (sample) => {
	const file = schemaFile(sample);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(await outputSchema(stage, sample), null, '\t')}\n`);
});

test('add the new names to test/savedNames.json', addNewNames);
