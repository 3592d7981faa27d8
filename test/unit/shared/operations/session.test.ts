import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { connectionWith } from '../../../../dist/nodes/shared/http/connection.js';
import { Outage } from '../../../../dist/nodes/shared/http/retry.js';
import { Session } from '../../../../dist/nodes/shared/operations/session.js';
import {
	Failure,
	type FailureKind,
	toFailure,
} from '../../../../dist/nodes/shared/values/failure.js';
import { VirtualTime } from '../../helpers/virtualTime.ts';

/** When the requests of a run end, and what the rows read that were not sent. */

const ACCOUNT = '/api/account';

interface Told {
	/** The outcome of a request, by how many came before. */
	outcome: (count: number) => FailureKind | 'ok';
	account?: FailureKind | 'ok';
}

async function runOf(requests: number, { outcome, account = 'ok' }: Told) {
	const time = new VirtualTime();
	const credential = { baseUrl: 'https://a.example', apiKey: 'key' };
	const connection = {
		...connectionWith(linkService, credential, async () => await Promise.resolve()),
		clock: time,
	};
	const outage = new Outage(time);
	const sent: string[] = [];
	const send = async ({ path }: { path: string }) => {
		const kind = path === ACCOUNT ? account : outcome(sent.length);
		sent.push(path);
		const failure = kind === 'ok' ? undefined : new Failure({ kind, message: kind });
		// As `Attempts` does.
		if (failure?.consequences.isOutage === 'any') outage.begin();
		return await (failure
			? Promise.reject(failure)
			: Promise.resolve({ body: {}, answeredAt: time.epoch() }));
	};
	const session = new Session(connection, {}, send, outage);
	const results: string[] = [];
	const start = time.now();
	for (let row = 0; row < requests; row += 1) {
		const sending = session.send({ method: 'POST', path: `/${row}` });
		const result = await time.run(sending).then(() => 'ok', toFailure);
		results.push(result instanceof Failure ? result.message : result);
	}
	return { sent, results, waited: time.now() - start };
}

test.each<FailureKind>(['serverError', 'unreadable'])(
	'five %s in a row end the run, and the other rows say why',
	async (kind) => {
		const { sent, results } = await runOf(7, { outcome: () => kind });
		expect(sent).toHaveLength(5);
		const notSent = 'Not sent: the service gave no usable response 5 times in a row';
		expect(results.slice(4)).toEqual([kind, notSent, notSent]);
	},
);

test.each<FailureKind>(['serverError', 'forbidden', 'unavailable'])(
	'any number of scattered %s ends nothing',
	async (kind) => {
		const { sent } = await runOf(40, { outcome: (count) => (count % 2 ? kind : 'ok') });
		expect(sent).toHaveLength(40);
	},
);

test('while the service is away, rows wait, and after a minute they are not sent', async () => {
	const { sent, results, waited } = await runOf(200, { outcome: () => 'unavailable' });
	expect(sent).toHaveLength(9);
	expect(waited).toBe(60_000);
	expect(results.at(-1)).toBe('Not sent: the service did not respond for a minute');
});

test('an outage of three seconds fails four rows of 200, and the rest are sent', async () => {
	const { sent, results } = await runOf(200, {
		outcome: (count) => (count >= 40 && count < 44 ? 'unavailable' : 'ok'),
	});
	expect(sent).toHaveLength(200);
	expect(results.filter((result) => result !== 'ok')).toHaveLength(4);
});

test.each<[FailureKind, reason: string]>([
	['unauthorized', 'refused the API key'],
	['noAccess', 'refused the account'],
	['rateLimited', 'refused one request 20 times for its rate limit'],
])('%s ends the run at once', async (kind, reason) => {
	const { results } = await runOf(3, { outcome: () => kind });
	const notSent = `Not sent: the service ${reason}`;
	expect(results).toEqual([kind, notSent, notSent]);
});

test('at each fifth 403 in a row the account says whether it is about the key', async () => {
	const forbidden = await runOf(11, { outcome: () => 'forbidden' });
	expect(forbidden.sent.filter((path) => path === ACCOUNT)).toHaveLength(2);
	expect(forbidden.results).toEqual(Array(11).fill('forbidden'));
	const refused = await runOf(6, { outcome: () => 'forbidden', account: 'unauthorized' });
	expect(refused.results.slice(3)).toEqual([
		'forbidden',
		'unauthorized',
		'Not sent: the service refused the API key',
	]);
});
