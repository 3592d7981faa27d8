import { LINK_UPDATE_WITH_URL, requestsOf } from '../operationRequests.ts';
import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import { onStage, Stage } from './support.ts';

/** Every operation sends as many requests as BENCHMARKS.md says, and no more. */

const stage = onStage(new Stage());

const ROWS = 3;
/** Three pages of a list, the last one with a single record. */
const RECORDS = 201;
const PAGES = 3;

test.each(OPERATION_SAMPLES)('$node $name sends that many requests', async (sample) => {
	const { requests, per } = requestsOf(sample.name);
	const rows = await sample.rows(stage, per === '100 records' ? RECORDS : ROWS);
	const times = per === '100 records' ? PAGES : rows.length;
	const result = await runSample(stage, sample, {
		rows: per === 'different purchase code' ? [...rows, ...rows] : rows,
	});
	expect(result.error).toBeUndefined();
	expect(result.requests).toHaveLength(requests * times);
});

test('link.update with a new long URL sends fewer', async () => {
	const update = OPERATION_SAMPLES.find((sample) => sample.name === 'link.update');
	if (!update) throw new Error('There is no sample of it');
	const rows = await update.rows(stage, ROWS);
	const result = await runSample(stage, update, {
		rows,
		parameters: { updateFields: { url: 'https://example.com/new' } },
	});
	expect(result.error).toBeUndefined();
	expect(result.requests).toHaveLength(LINK_UPDATE_WITH_URL.requests * ROWS);
});
