/**
 * Why changes that no test notices need none. The first reason counts whose expression fits a change as `survivors.mjs`
 * writes it: `file.ts: before → after`.
 */
export const REASONS = {
	'The older HTTP helper that a credential test has sends a GET where nothing is said.':
		/^credentialTest\.ts: 'GET'/,
	'The first two records of a page tell its order as well as the first and the last.':
		/^recordIndex\.ts: -1 → \+1/,
	'n8n takes the message from what stands beside it, too.': /: \{ message \} → \{\}$/,
	'Nobody asks for it: an operation that sends its requests itself returns their results.':
		/^listOperation\.ts: .*\[body\] → /,
	'It takes away the words of an advice, a label or the name of a kind, which no test repeats letter by letter.':
		/: '([A-Z][^']*|unreadable)('|…) → ""$/,
	'Two things would have to happen in the same millisecond, or a text or a number to be just that.':
		/ (<=?|>=?) \S+ → .* (<=?|>=?) \S+$|^recordIndex\.ts: \(idIn.* <= /,
	'It stands for nothing; what stands there instead is found nowhere, either.':
		/('' → "Stryker was here!"|\[\] → \["Stryker was here"\])$/,
	'The credential of the test is not paced, so a wait is the same for everybody.':
		/^request\.ts: (\{ requestsPerMinute, urgent: true \} → \{\}|true → false)/,
	'It only frees memory or a timer: what is that old counts no more anyway.':
		/^rateWindow\.ts: .*this\.finishedAt\[0\]|^rateLimiter\.ts: .*wakeAt !==/,
	'The tests run where the clock shows UTC, in which a time without a zone is the same.':
		/^rateHeaders\.ts: .*→ \/Z\|\[\^\+-\]/,
	'The type checker wants the condition: without it a comparison with undefined, or a lookup, has the same result.':
		/(\w+ !== undefined( && \w+ !== undefined)? → (true|\w+ !== undefined \|\| .*)|(id|list) === undefined → false|cause instanceof Error → true|\?\.kind → .*\.kind|\?\.delete → .*\.delete|filter\(\(option\) => 'type' in option\) → options|\.filter\( \(o… → field\.type.*)$/,
	'The result is the same: what the condition keeps out has no effect, or cannot get there.':
		/^(rateWindow\.ts: this\.last → true|path\.ts: \/\^\.\/|failure\.ts: typeof value === 'string' → true|failure\.ts: advice === undefined → false|response\.ts: (kind === 'refused' → true|\/\[\^a-z\]\+|\/ \+\/g|\/\[\?#\])|request\.ts: `\$\{doubt\}|rateHeaders\.ts: \/(\^\\d|Z)|connectionError\.ts: ' ' → )/,
};
