import {
	Failure,
	type FailureKind,
	findFailure,
	inputFailure,
	toFailure,
} from '../../../../dist/nodes/shared/values/failure.js';

/** What people read of a failure, and what follows from its kind. */

const cause = new TypeError('odd');
const failure = new Failure({ kind: 'refused', message: 'No', advice: 'Ask', httpCode: 404 });

test('says in sentences what happened, and what to do', () => {
	expect(failure.explanation).toBe('No. Ask.');
	expect(inputFailure('Why?').explanation).toBe('Why?');
	expect(inputFailure('Stop!', 'See https://example.com/a.b').explanation).toBe(
		'Stop! See https://example.com/a.b.',
	);
});

test('is found in what n8n wraps around it; any other error keeps its words and its cause', () => {
	const wrapped = new Error('outer', { cause: new Error('inner', { cause: failure }) });
	expect([findFailure(wrapped), toFailure(wrapped)]).toEqual([failure, failure]);
	expect(findFailure(cause)).toBeUndefined();
	expect(toFailure(cause)).toMatchObject({ kind: 'unexpected', message: 'odd', cause });
});

test.each<[consequences: object, ...kinds: FailureKind[]]>([
	[{ endsRun: true, endsPoll: true }, 'unauthorized', 'noAccess', 'rateLimited'],
	[{ endsPoll: true }, 'outOfTime'],
	[{ isOutage: 'thisRequest' }, 'serverError', 'unreadable'],
	[{ isOutage: 'any' }, 'unavailable', 'noResponse', 'unreachable', 'misrouted'],
	[{}, 'refused', 'missing', 'forbidden', 'otherRefusal', 'input', 'cancelled', 'unexpected'],
])('what follows for a run and a poll is %j', (consequences, ...kinds) => {
	for (const kind of kinds) {
		const { endsRun, endsPoll, isOutage } = new Failure({ kind, message: '' }).consequences;
		const found = JSON.parse(JSON.stringify({ endsRun, endsPoll, isOutage })) as object;
		expect([kind, found]).toEqual([kind, consequences]);
	}
});

test('may be retried unless it may have been carried out, or somebody says so', () => {
	const mayRetry = (details: { outcomeUnknown?: boolean; mayRetry?: boolean }) =>
		new Failure({ kind: 'noResponse', message: '', ...details }).mayRetry;
	expect([mayRetry({}), mayRetry({ outcomeUnknown: true })]).toEqual([true, false]);
	expect(mayRetry({ outcomeUnknown: true, mayRetry: true })).toBe(true);
	expect(mayRetry({ mayRetry: false })).toBe(false);
});
