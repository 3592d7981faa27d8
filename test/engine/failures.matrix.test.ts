import { DIALECT_NAMES } from '../../sandbox/dialects.ts';
import { Failure } from '../../sandbox/failure.ts';
import { messageIn } from '../../sandbox/link/answers.ts';
import type { OperationSample } from './operationSamples.ts';
import { NONE } from './operationSample.ts';
import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import type { NodeSettings } from './support.ts';
import { Stage, byId, inEveryDialect, like, onStage } from './support.ts';

/** Every operation, as a user sees it fail: the service's own message first, then what to do, and the status. */

const REFUSABLE = OPERATION_SAMPLES.flatMap(({ refused, ...sample }) =>
	refused ? [{ ...sample, refused }] : [],
);

/** What the service refuses of an operation; what it does not, where only the key can be refused. */
async function run(stage: Stage, sample: OperationSample, settings: NodeSettings = {}) {
	const { row = {}, parameters = {} } = sample.refused ?? {};
	return await runSample(stage, sample, { rows: [row], parameters, ...settings });
}

test('the only ones that cannot be refused take nothing that a service could refuse', () => {
	for (const { name, kind, parameters, refused } of OPERATION_SAMPLES) {
		if (refused) continue;
		const given = Object.keys(parameters).filter((parameter) => parameter !== 'returnAll');
		expect([name, kind, given]).toEqual([name, expect.stringMatching(/^(read|list)$/), []]);
	}
});

inEveryDialect((stage) => {
	const said = ({ node, refused }: (typeof REFUSABLE)[number]) =>
		node === 'link'
			? messageIn(stage.dialect, new Failure(refused.status, refused.message))
			: refused.message;
	const statusOf = (status: number) =>
		stage.dialect.failureStatus === 'http200' ? '200' : String(status);

	test.each(REFUSABLE)('$node $name tells the message of the service', async (sample) => {
		const { error, items, requests } = await run(stage, sample);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: said(sample),
			description: 'Check the values that the step sends',
			httpCode: statusOf(sample.refused.status),
		});
		expect(items).toEqual([]);
		// What a list refuses may be its limit: 100, 50, 25, 10 and none are tried.
		const mayBeLimit = sample.kind === 'list' && statusOf(sample.refused.status) !== '404';
		expect(requests).toHaveLength(mayBeLimit ? 5 : 1);
	});

	test.each(OPERATION_SAMPLES)('$node $name says that the key was refused', async (sample) => {
		const { error, items, requests } = await run(stage, sample, {
			credential: { apiKey: 'mistyped' },
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The API key is not valid.',
			description: like(/^Check the API key in the credential/),
			httpCode: stage.dialect.keyRefused,
		});
		expect(items).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	test.each(REFUSABLE)(
		'$node $name gives an error item where the node continues',
		async (sample) => {
			const { error, items } = await run(stage, sample, {
				settings: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			const message = said(sample).replace(/\.$/, '');
			expect(items).toEqual([
				{
					json: { error: `${message}. Check the values that the step sends.` },
					pairedItem: { item: 0 },
				},
			]);
		},
	);
});

describe('where failures are web pages', () => {
	const stage = onStage(new Stage({ failureStatus: 'html' }));

	test.each(REFUSABLE)(
		'$node $name says so, with the status and none of the page',
		async (sample) => {
			const { error, items, run: whole } = await run(stage, sample);
			const service = sample.node === 'store' ? 'The store' : 'The link service';
			expect(error).toMatchObject({
				message: `${service} was expected to answer, but a web page came (status ${sample.refused.status})`,
				httpCode: String(sample.refused.status),
			});
			expect(error?.description).not.toMatch(/carried out/);
			expect(items).toEqual([]);
			expect(JSON.stringify(whole.data.resultData.error)).not.toMatch(/<html|<title|<body/i);
		},
	);

	test.each(OPERATION_SAMPLES)('$node $name says that the key was refused', async (sample) => {
		const { error } = await run(stage, sample, { credential: { apiKey: 'mistyped' } });
		expect(error).toMatchObject({
			message: like(/^The (link service|store) refused the API key$/),
			description: like(/^Check the API key in the credential/),
			httpCode: '401',
		});
	});
});

describe.each(DIALECT_NAMES)('the errors of the dialect %s', (dialect) => {
	const stage = onStage(new Stage(dialect));

	test.each(['expired', 'replaced'])(
		'a key that was %s is refused by its own words',
		async (how) => {
			const { id } = stage.linkAccount;
			if (how === 'expired') stage.sandbox.expireKey('link', id);
			else stage.sandbox.rotateKey('link', id);
			const { error } = await stage.link('account.get');
			const words = { expired: 'The API key has expired.', replaced: 'The API key is not valid.' };
			expect(error?.message).toBe(words[how === 'expired' ? 'expired' : 'replaced']);
		},
	);

	test('are kept without the key and without the request', async () => {
		const { run: whole, error } = await stage.link('link.get', { linkId: byId(NONE) });
		expect(error).toBeDefined();
		const kept = JSON.stringify(whole.data.resultData);
		expect(kept).not.toContain(stage.linkAccount.apiKey);
		expect(kept).not.toMatch(/authorization/i);
	});
});
