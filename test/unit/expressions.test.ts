import { globSync, readFileSync } from 'node:fs';

import * as ts from 'typescript';

/** Every regular expression of the package, each fed with texts that make a bad one take minutes. */

const FILES = globSync('{nodes,credentials}/**/*.ts');

interface Expressions {
	literals: RegExp[];
	/** Calls of `RegExp`, whose expression is known at run time only. */
	calls: string[];
}

function expressionsIn(file: string): Expressions {
	const found: Expressions = { literals: [], calls: [] };
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, source = '', flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
			found.literals.push(new RegExp(source, flags));
		}
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		if (isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
			found.calls.push(file);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
	return found;
}

const SIZE = 100_000;

/** Texts of 100 kB: each character and word that the expression names, repeated, before something that it refuses. */
function worstTexts({ source }: RegExp, size: number): string[] {
	const plain = source.replace(/\\[dDwWsSbB]/g, ' 1a').replace(/\\x[\da-f]{2}|\\/gi, '');
	const words = plain.match(/[\w<>!?/%.:-]{2,}/g) ?? [];
	const pumps = new Set([...plain.split(''), ...words, ' ', '\n', '0', 'a', '<!---->']);
	return [...pumps].map((pump) => `${pump.repeat(size / pump.length)}\n\u0000!`);
}

/** Milliseconds of processor time for the slowest text; it stops at one that takes too long. */
function slowest(expression: RegExp, size = SIZE): number {
	let slowestMs = 0;
	for (const text of worstTexts(expression, size)) {
		const before = process.cpuUsage();
		text.replace(expression, '');
		const { user } = process.cpuUsage(before);
		slowestMs = Math.max(slowestMs, user / 1000);
		if (slowestMs > MOST_MS) break;
	}
	return slowestMs;
}

/** A text of this size takes a linear expression a few milliseconds, a quadratic one many seconds. */
const MOST_MS = 400;

const all = FILES.map(expressionsIn);

test.each(all.flatMap(({ literals }) => literals))('%s takes linear time', (expression) => {
	expect(slowest(expression)).toBeLessThan(MOST_MS);
});

test('an expression that is put together at run time is nowhere but here', () => {
	expect(new Set(all.flatMap(({ calls }) => calls))).toEqual(
		new Set(['nodes/shared/http/mask.ts', 'nodes/shared/http/response.ts']),
	);
});

test.each([/;.*$/])('%s, which takes quadratic time, is noticed', (expression) => {
	expect(slowest(expression, SIZE / 2)).toBeGreaterThan(MOST_MS);
});
