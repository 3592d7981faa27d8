import {
	Failure,
	type FailureKind,
	findFailure,
	inputFailure,
	quoted,
	toFailure,
} from '../../../../dist/nodes/shared/values/failure.js';

/** What people read of a failure, and what follows from its kind. */

const circle: Record<string, unknown> = {};
circle.self = circle;

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
	[{ isRefusal: true }, 'refused', 'missing'],
	[{ endsRun: true, endsPoll: true }, 'unauthorized', 'rateLimited'],
	[{ endsPoll: true }, 'outOfTime'],
	[{ isOutage: 'thisRequest', mayHaveBeenApplied: true }, 'serverError', 'unreadable'],
	[{ isOutage: 'any', mayHaveBeenApplied: true }, 'unavailable', 'noResponse'],
	[{ isOutage: 'any' }, 'unreachable', 'misrouted'],
	[{ mayHaveBeenApplied: true }, 'cancelled', 'unexpected'],
	[{}, 'forbidden', 'otherRefusal', 'input'],
])('what follows, other than being sent again, is %j', (consequences, ...kinds) => {
	for (const kind of kinds) {
		const {
			retry: _retry,
			retryWithSmallerLimit: _smaller,
			...found
		} = new Failure({ kind, message: '' }).consequences;
		expect([kind, found]).toEqual([kind, consequences]);
	}
});

test.each([
	...[undefined, null, ''].map((value) => [value, 'empty'] as const),
	['x'.repeat(80), `"${'x'.repeat(80)}"`] as const,
	['x'.repeat(81), `"${'x'.repeat(80)}…"`] as const,
	[circle, '"{"self":"[Circular Reference]"}"'] as const,
])('a message quotes %j as %s', (value, text) => {
	expect(quoted(value)).toBe(text);
});

test('a message has no line breaks', () => {
	expect(quoted('a\r\nb\u2028c')).toBe('"a⏎b⏎c"');
});

test('may be retried unless it may have been carried out, or somebody says so', () => {
	const mayRetry = (details: { outcomeUnknown?: boolean; mayRetry?: boolean }) =>
		new Failure({ kind: 'noResponse', message: '', ...details }).mayRetry;
	expect([mayRetry({}), mayRetry({ outcomeUnknown: true })]).toEqual([true, false]);
	expect(mayRetry({ outcomeUnknown: true, mayRetry: true })).toBe(true);
	expect(mayRetry({ mayRetry: false })).toBe(false);
});
