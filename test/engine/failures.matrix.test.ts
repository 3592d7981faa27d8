import { Failure, KeyRefused } from '../../sandbox/failure.ts';
import { messageIn } from '../../sandbox/link/answers.ts';
import type { OperationSample } from './operationSamples.ts';
import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import type { NodeSettings } from './support.ts';
import { Stage, inEveryDialect, like, onStage } from './support.ts';

/** Every operation, as a user sees it fail: the service's own message first, then what to do, and the status. */

const REFUSABLE = OPERATION_SAMPLES.flatMap(({ refused, ...sample }) =>
	refused ? [{ ...sample, refused }] : [],
);

const adviceFor = (status: string): string =>
	status === '404'
		? 'It may have been deleted, or belong to another account'
		: 'Check the values that the step sends';

const NOT_VALID = new KeyRefused('The API key is not valid.');

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

/** What the user reads. A message that misleads may not lead to advice about the key or the limit. */
function said({ dialect }: Stage, { node, refused }: (typeof REFUSABLE)[number], code: string) {
	const { message, told = message, status, advice = adviceFor(code) } = refused;
	return node === 'link' && dialect.messages === 'misleading'
		? {
				message: messageIn(dialect, new Failure(status, message)),
				advice: like(/^(?!.*(API key|limit))/),
			}
		: { message: told, advice };
}

inEveryDialect((stage) => {
	const statusOf = (status: number) =>
		stage.dialect.failureStatus === 'http200' ? '200' : String(status);

	test.each(REFUSABLE)('$node $name tells the message of the service', async (sample) => {
		const httpCode = statusOf(sample.refused.status);
		const { message, advice: description } = said(stage, sample, httpCode);
		const stopped = await run(stage, sample);
		// An invalid code is a result of the store; that it is an error, the user chose.
		const status = sample.kind === 'validate' ? null : httpCode;
		const wanted = { name: 'NodeApiError', message, description, httpCode: status };
		expect(stopped.error).toMatchObject(wanted);
		expect(stopped.items).toEqual([]);
		// What a list refuses may be its limit: 100, 50, 25, 10 and none are tried.
		const mayBeLimit = sample.kind === 'list' && httpCode !== '404';
		const before = sample.looksIn?.length ?? 0;
		expect(stopped.requests).toHaveLength(mayBeLimit ? 5 : before + 1);

		const onError = 'continueRegularOutput';
		const continued = await run(stage, sample, { settings: { onError } });
		expect(continued.error).toBeUndefined();
		const error = expect.stringContaining(`${message.replace(/\.$/, '')}. `) as unknown;
		expect(continued.items).toEqual([{ json: { error }, pairedItem: { item: 0 } }]);
	});

	test.each(OPERATION_SAMPLES)('$node $name says that the key was refused', async (sample) => {
		const { error, items, requests } = await run(stage, sample, {
			credential: { apiKey: 'mistyped' },
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: sample.node === 'link' ? messageIn(stage.dialect, NOT_VALID) : NOT_VALID.message,
			description: like(/^Check the API key in the credential/),
			httpCode: stage.dialect.keyRefused,
		});
		expect(items).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	test('a key that has expired is refused by its own words', async () => {
		stage.sandbox.expireKey('link', stage.linkAccount.id);
		const { error } = await stage.link('account.get');
		expect(error?.message).toBe(
			messageIn(stage.dialect, new KeyRefused('The API key has expired.')),
		);
	});
});

describe('where failures are web pages', () => {
	const stage = onStage(new Stage({ failureStatus: 'html' }));

	test.each(REFUSABLE)(
		'$node $name says so, with the status and none of the page',
		async (sample) => {
			const { error, items, run: whole } = await run(stage, sample);
			const service = sample.node === 'store' ? 'the store' : 'the service';
			expect(error).toMatchObject({
				message: `Expected a response from ${service}, but got a web page (status ${sample.refused.status})`,
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
			message: like(/^The (service|store) refused the API key$/),
			description: like(/^Check the API key in the credential/),
			httpCode: '401',
		});
	});
});
