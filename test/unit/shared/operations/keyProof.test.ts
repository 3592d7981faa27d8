import { KeyProof } from '../../../../dist/nodes/shared/operations/keyProof.js';
import { Failure, toFailure } from '../../../../dist/nodes/shared/values/failure.js';

/** When results that a wrong key may cause, too, are believed: once the key was proved after they came. */

const refused = new Failure({ kind: 'unauthorized', message: 'No key' });
const down = new Failure({ kind: 'unavailable', message: 'Down' });

/** A run whose proofs end as they are told, one after the other. */
function runWith(...answers: Array<Failure | undefined>) {
	const asked: Array<() => void> = [];
	const refusals: Failure[] = [];
	const proof = new KeyProof((failure) => refusals.push(failure));
	const ends: boolean[] = [];
	const ask = async (isEnd: boolean) => {
		ends.push(isEnd);
		const answer = answers[asked.length];
		await new Promise<void>((resolve) => asked.push(resolve));
		if (answer) throw answer;
	};
	const outcomes: Array<string | undefined> = [];
	const doubt = (): void => {
		const row = outcomes.push(undefined) - 1;
		void proof.proved(ask).then(
			() => (outcomes[row] = 'believed'),
			(error: unknown) => (outcomes[row] = toFailure(error).message),
		);
	};
	const settled = async () => {
		for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
		return outcomes;
	};
	return { proof, doubt, asked, ends, refusals, settled };
}

test('the first doubt asks, and its answer counts for what came before it was asked', async () => {
	const { proof, doubt, asked, settled } = runWith();
	doubt();
	doubt();
	expect(asked).toHaveLength(1);
	asked[0]?.();
	expect(await settled()).toEqual(['believed', undefined]);
	void proof.end();
	await settled();
	asked[1]?.();
	expect(await settled()).toEqual(['believed', 'believed']);
	expect(asked).toHaveLength(2);
});

test('a row proves the key for doubts from before it was sent, and spares the first question', async () => {
	const { proof, doubt, asked, settled } = runWith();
	proof.begin()();
	const sentBefore = proof.begin();
	doubt();
	const sentAfter = proof.begin();
	sentBefore();
	expect(await settled()).toEqual([undefined]);
	sentAfter();
	expect(await settled()).toEqual(['believed']);
	await proof.end();
	expect(asked).toEqual([]);
});

test('ten doubts in a row ask once, although another row has proved the key before', async () => {
	const { proof, doubt, asked, ends, settled } = runWith(undefined, undefined);
	proof.begin()();
	for (let row = 1; row < 10; row += 1) doubt();
	expect(asked).toHaveLength(0);
	doubt();
	expect(ends).toEqual([false]);
	asked[0]?.();
	expect(new Set(await settled())).toEqual(new Set(['believed']));
	for (let row = 0; row < 20; row += 1) doubt();
	expect(asked).toHaveLength(1);
	void proof.end();
	await settled();
	expect(ends).toEqual([false, true]);
	asked[1]?.();
	expect(new Set(await settled())).toEqual(new Set(['believed']));
});

test('a row that is sent after nothing could be asked is no question about later doubts', async () => {
	const { proof, doubt, asked, settled } = runWith(down, undefined);
	doubt();
	asked[0]?.();
	await settled();
	doubt();
	void proof.end();
	await settled();
	asked[1]?.();
	expect(await settled()).toEqual(['believed', 'believed']);
});

test('a refusal ends the run, and is the outcome of every doubt, also of later ones', async () => {
	const { proof, doubt, asked, refusals, settled } = runWith(refused);
	doubt();
	doubt();
	asked[0]?.();
	expect(await settled()).toEqual(['No key', 'No key']);
	doubt();
	await proof.end();
	expect(await settled()).toEqual(['No key', 'No key', 'No key']);
	expect([asked.length, refusals]).toEqual([1, [refused]]);
});

test('a question without an answer leaves the doubt to a later proof, or to the end', async () => {
	const first = runWith(down);
	first.doubt();
	first.asked[0]?.();
	expect(await first.settled()).toEqual([undefined]);
	first.proof.begin()();
	expect(await first.settled()).toEqual(['believed']);

	const second = runWith(down);
	second.doubt();
	second.asked[0]?.();
	await second.proof.end();
	expect(await second.settled()).toEqual(['Down']);
	expect([second.asked.length, second.refusals]).toEqual([1, []]);
});

test('the end asks again for doubts that no question was about', async () => {
	const { proof, doubt, asked, settled } = runWith(down, down);
	doubt();
	doubt();
	asked[0]?.();
	await settled();
	void proof.end();
	await settled();
	expect(asked).toHaveLength(2);
	asked[1]?.();
	expect(await settled()).toEqual(['Down', 'Down']);
});

test('the end of a run without doubts asks nothing', async () => {
	const { proof, asked } = runWith();
	await proof.end();
	expect(asked).toEqual([]);
});
