/**
 * Why changes that no test notices need none. The first reason counts whose `changes` fit a change as
 * `docs/mutation-survivors.md` writes it: `file.ts: before → after`.
 */
export const REASONS = [
	{
		reason: 'It changes words of an advice or a message that no test repeats letter by letter.',
		changes: /: (`[^`]*`|'[^']*'|"[^"]*") → (``|""|"Stryker was here!")$/,
	},
];
