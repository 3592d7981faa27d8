import type { IDataObject } from 'n8n-workflow';

import { KeyRefused } from '../../../sandbox/failure.ts';
import type { Fixture, Refused } from '../../fixtures.ts';
import { FIXTURES } from '../../fixtures.ts';
import { filled, runFixture } from '../helpers/fixture.ts';
import type { NodeSettings } from '../helpers/support.ts';
import { Stage, inEveryDialect, like, onStage } from '../helpers/support.ts';

/** Every operation, as a user sees it fail: the service's own message first, then what to do, and the status. */

type Refusable = Fixture & { refused: Refused };

const isRefusable = (fixture: Fixture): fixture is Refusable => fixture.refused !== undefined;
const REFUSABLE = FIXTURES.filter(isRefusable);

/** One of each kind is enough where only the dialect differs: one function reads the responses of all. */
const kindOf = ({ node, kind }: Fixture): string => `${node} ${kind}`;
const FIRST_OF_KIND = REFUSABLE.filter(
	(fixture) => fixture === REFUSABLE.find((other) => kindOf(other) === kindOf(fixture)),
);

const adviceFor = (status: string): string =>
	status === '404'
		? 'It may have been deleted, or belong to another account'
		: 'Check the values you entered';

const NOT_VALID = new KeyRefused();

/** What the service refuses of an operation; what it does not, where only the key can be refused. */
async function run(stage: Stage, fixture: Fixture, settings: NodeSettings = {}) {
	const { row = {}, parameters } = fixture.refused ?? {};
	const refused = { ...fixture, parameters: { ...fixture.parameters, ...parameters } };
	return await runFixture(stage, refused, { rows: [row as IDataObject], ...settings });
}

test('the only ones that cannot be refused take nothing that a service could refuse', () => {
	for (const { name, kind, parameters, refused } of FIXTURES) {
		if (refused) continue;
		const given = Object.keys(parameters).filter((parameter) => parameter !== 'returnAll');
		expect([name, kind, given]).toEqual([name, expect.stringMatching(/^(read|list)$/), []]);
	}
});

function testAll(stage: Stage, fixtures: Fixture[]): void {
	const statusOf = (status: number) =>
		stage.dialect.failureStatus === 'http200' ? '200' : String(status);

	test.each(fixtures.filter(isRefusable))(
		'$node $name tells the message of the service',
		async (fixture) => {
			const httpCode = statusOf(fixture.refused.status);
			const { message, advice = adviceFor(httpCode) } = fixture.refused;
			const description = filled(advice, {});
			const stopped = await run(stage, fixture);
			// An invalid code is a result of the store; that it is an error, the user chose.
			const status = fixture.kind === 'validate' ? null : httpCode;
			// Some begin with the label of a field.
			const ending = expect.stringContaining(message) as unknown;
			const wanted = { name: 'NodeApiError', message: ending, description, httpCode: status };
			expect(stopped.error).toMatchObject(wanted);
			expect(stopped.items).toEqual([]);
			// What a list refuses may be its limit: 100, 50, 25, 10 and none are tried.
			const mayBeLimit = fixture.kind === 'list' && httpCode !== '404';
			const before = fixture.requests.filter(({ once }) => once).length;
			// The store's account proves the key before "invalid" and "not found" are believed.
			const isProved = fixture.node === 'store';
			expect(stopped.requests).toHaveLength(mayBeLimit ? 5 : before + (isProved ? 2 : 1));

			const onError = 'continueRegularOutput';
			const continued = await run(stage, fixture, { settings: { onError } });
			expect(continued.error).toBeUndefined();
			const error = expect.stringContaining(`${message.replace(/\.$/, '')}. `) as unknown;
			expect(continued.items).toEqual([{ json: { error }, pairedItem: { item: 0 } }]);
		},
	);

	test.each(fixtures)('$node $name says that the key was refused', async (fixture) => {
		const { error, items, requests } = await run(stage, fixture, {
			credential: { apiKey: 'mistyped' },
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: NOT_VALID.message,
			description: like(/^Check the API key in the credential/),
			httpCode: stage.dialect.keyRefused,
		});
		expect(items).toEqual([]);
		expect(requests).toHaveLength(1);
	});
}

describe('in the dialect seen, every operation', () => {
	testAll(onStage(new Stage()), FIXTURES);
});

inEveryDialect((stage) => {
	testAll(stage, FIRST_OF_KIND);
});
