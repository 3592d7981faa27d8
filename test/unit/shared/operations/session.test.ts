import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { Session } from '../../../../dist/nodes/shared/operations/session.js';
import {
	Failure,
	type FailureKind,
	toFailure,
} from '../../../../dist/nodes/shared/values/failure.js';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** When the requests of a run end, and what the rows read that were not sent. */

/** @param outcome of a request, by how many came before */
async function runOf(requests: number, outcome: (count: number) => FailureKind | 'ok') {
	const time = new VirtualTime();
	const credential = { baseUrl: 'https://a.example', apiKey: 'key' };
	const connection = {
		...connectionWith(linkService, credential, async () => await Promise.resolve()),
		clock: time,
	};
	const sent: string[] = [];
	const send = async ({ path }: { path: string }) => {
		const kind = outcome(sent.length);
		sent.push(path);
		const failure = kind === 'ok' ? undefined : new Failure({ kind, message: kind });
		return await (failure
			? Promise.reject(failure)
			: Promise.resolve({ body: {}, answeredAt: time.epoch() }));
	};
	const session = new Session(connection, {}, send);
	const results: string[] = [];
	const start = time.now();
	for (let row = 0; row < requests; row += 1) {
		const sending = session.send({ method: 'POST', path: `/${row}` });
		const result = await time.run(sending).then(() => 'ok', toFailure);
		results.push(result instanceof Failure ? result.message : result);
	}
	return { sent, results, waited: time.now() - start };
}

test.each<FailureKind>(['serverError', 'forbidden', 'unavailable'])(
	'any number of scattered %s ends nothing',
	async (kind) => {
		const { sent } = await runOf(40, (count) => (count % 2 ? kind : 'ok'));
		expect(sent).toHaveLength(40);
	},
);

test('an outage that ended counts for no later one', async () => {
	// Each failure and each pause of a new outage is short; together they take more than a minute.
	const { results } = await runOf(300, (count) => (count % 3 === 0 ? 'unavailable' : 'ok'));
	expect(results.filter((result) => result.startsWith('Not sent'))).toEqual([]);
});

test('a request that is refused again and again for the rate limit ends the run', async () => {
	const { results } = await runOf(2, () => 'rateLimited');
	const notSent = 'Not sent: the service refused one request again and again for its rate limit';
	expect(results).toEqual(['rateLimited', notSent]);
});

test('a second outage begins with a short pause again', async () => {
	const isAway = (count: number) => [0, 1, 2, 3, 5].includes(count);
	const { waited } = await runOf(7, (count) => (isAway(count) ? 'unavailable' : 'ok'));
	expect(waited).toBe(500 + 1000 + 2000 + 4000 + 500);
});
