/**
 * Why changes that no test notices need none. The first reason counts whose `changes` fit a change as
 * `docs/mutation-survivors.md` writes it: `file.ts: before → after`.
 */
export const REASONS = [
	{
		reason:
			'It takes away the words of an advice or the name of a kind, which no test repeats letter by letter.',
		changes: /: '([A-Z][^']*|unreadable)('|…) → ""$/,
	},
	{
		reason:
			'Two things would have to happen in the same millisecond, or a text to have just that length.',
		changes: / (<=?|>=?) \S+ → .* (<=?|>=?) \S+$/,
	},
	{
		reason:
			'A broken connection is told so on n8n itself, in `test/engine/connection.test.ts`, or in no case that is known.',
		changes: /^connectionError\.ts: /,
	},
	{
		reason: 'The credential of the test is not paced, so a wait is the same for everybody.',
		changes: /^request\.ts: (\{ requestsPerMinute, urgent: true \} → \{\}|true → false)/,
	},
	{
		reason: 'It only frees memory: what is that old counts no more anyway.',
		changes:
			/^rateWindow\.ts: .*this\.answers\[0\]|^rateLimiter\.ts: .*(isForgotten|removeEventListener)/,
	},
	{
		reason:
			'The result is the same: what the condition keeps out has no effect, or cannot get there.',
		changes:
			/^(rateWindow\.ts: (this\.told → true|left > 0 → )|json\.ts: id !== undefined → true|path\.ts: (typeof value === 'string' → true|\/\^\.\/)|failure\.ts: advice === undefined → false|response\.ts: (kind === 'refused' → true|\/\[\^a-z\]\+|\/ \+\/g|\/\[\?#\])|response\.ts: '' → |request\.ts: (retry === OUTAGE → true|`\$\{doubt\}))/,
	},
];
