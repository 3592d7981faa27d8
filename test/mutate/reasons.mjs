/**
 * Why changes that no test notices need none. The first reason counts whose `changes` fit a change as
 * `docs/mutation-survivors.md` writes it: `file.ts: before → after`.
 */
export const REASONS = [
	{
		reason: 'It takes away the words of an advice, which no test repeats letter by letter.',
		changes: /: '[A-Z][^']*' → ""$/,
	},
	{
		reason: 'Two things would have to happen in the same millisecond, or a text to have just that length.',
		changes: / (<=?|>=?) \S+ → .* (<=?|>=?) \S+$/,
	},
	{
		reason: 'It only frees memory: what is that old counts no more anyway.',
		changes: /^rateWindow\.ts: .*this\.answers\[0\]|^rateLimiter\.ts: .*(isForgotten|removeEventListener)/,
	},
	{
		reason: 'The result is the same: what the condition keeps out has no effect, or cannot get there.',
		changes:
			/^(rateWindow\.ts: (this\.told → true|left > 0 → )|json\.ts: id !== undefined → true|path\.ts: (typeof value === 'string' → true|\/\^\.\/)|failure\.ts: advice === undefined → false|response\.ts: (kind === 'refused' → true|\/\[\^a-z\]\+|\/ \+\/g|\/\[\?#\])|request\.ts: (retry === OUTAGE → true|`\$\{doubt\})|connectionError\.ts: ('code' in error|typeof error\.code|\[\] →|'' →|' ' →))/,
	},
];
