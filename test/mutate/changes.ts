import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import ts from 'typescript';

/** Every small change of a source file that a later developer might make by mistake. */

export interface Change {
	path: string;
	line: number;
	before: string;
	after: string;
	/** The whole file with the change. */
	source: string;
}

const SWAPPED: Record<string, string> = {
	'===': '!==',
	'!==': '===',
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'&&': '||',
	'||': '&&',
	'+': '-',
	'-': '+',
};

/** Calls of a chain that leave its type as it is. */
const DROPPED = ['filter', 'slice', 'sort', 'toLowerCase', 'toReversed', 'toSorted', 'trim'];

/** A fallback that mostly only the compiler wants. */
function isNeverNeeded(node: ts.Node): boolean {
	const { parent } = node;
	const isFallback = ts.isBinaryExpression(parent) || ts.isBindingElement(parent);
	return isFallback && ["''", '0'].includes(node.getText());
}

/** What is returned is awaited by the caller. */
const isReturned = ({ parent }: ts.Node): boolean =>
	ts.isReturnStatement(parent) ||
	ts.isArrowFunction(parent) ||
	((ts.isParenthesizedExpression(parent) || ts.isConditionalExpression(parent)) &&
		isReturned(parent));

/** What an expression may become. */
function* replacedExpressions(node: ts.Node): Generator<[replaced: ts.Node, by: string]> {
	if (ts.isBinaryExpression(node)) {
		const { left, operatorToken, right } = node;
		const swapped = SWAPPED[operatorToken.getText()];
		if (swapped !== undefined) yield [operatorToken, swapped];
		if (operatorToken.getText() === '??' && !isNeverNeeded(right)) yield [node, left.getText()];
	}
	if (ts.isConditionalExpression(node)) yield [node.condition, `!(${node.condition.getText()})`];
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		yield [node, node.operand.getText()];
	if (ts.isAwaitExpression(node) && !isReturned(node)) yield [node, node.expression.getText()];
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { expression, name } = node.expression;
		if (DROPPED.includes(name.text)) yield [node, expression.getText()];
	}
}

/** What a statement or a value may become. */
function* replacedParts(node: ts.Node): Generator<[replaced: ts.Node, by: string]> {
	if (ts.isIfStatement(node)) {
		yield [node.expression, `!(${node.expression.getText()})`];
		if (!node.elseStatement) yield [node, ';'];
	}
	if (ts.isExpressionStatement(node)) yield [node, ';'];
	if (ts.isSpreadAssignment(node)) yield [node, '...{}'];
	if (ts.isNumericLiteral(node) && !isNeverNeeded(node)) {
		// A bound that is higher by one harms nobody.
		const number = Number(node.getText().replaceAll('_', ''));
		yield [node, String(number < 10 ? number + 1 : number * 2)];
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword) yield [node, 'false'];
	if (node.kind === ts.SyntaxKind.FalseKeyword) yield [node, 'true'];
}

export function changesOf(path: string): Change[] {
	const text = readFileSync(path, 'utf8');
	const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const changes: Change[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node)) return;
		for (const [replaced, after] of [...replacedExpressions(node), ...replacedParts(node)]) {
			const [start, end] = [replaced.getStart(), replaced.getEnd()];
			const line = tree.getLineAndCharacterOfPosition(start).line + 1;
			const source = text.slice(0, start) + after + text.slice(end);
			changes.push({ path, line, before: text.slice(start, end), after, source });
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return changes;
}

const { options, fileNames } = ts.parseJsonConfigFileContent(
	ts.readConfigFile('tsconfig.json', (path) => readFileSync(path, 'utf8')).config,
	ts.sys,
	'.',
);

/** The one file that differs from what is on disk. */
let changed = { path: '', source: '', version: 0 };

const isChanged = (file: string): boolean => resolve(file) === changed.path;

const service = ts.createLanguageService({
	getCompilationSettings: () => options,
	getCurrentDirectory: () => resolve('.'),
	getDefaultLibFileName: ts.getDefaultLibFilePath,
	getScriptFileNames: () => fileNames,
	getScriptVersion: (file) => (isChanged(file) ? String(changed.version) : '0'),
	getScriptSnapshot: (file) => {
		const text = isChanged(file) ? changed.source : ts.sys.readFile(file);
		return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
	},
	fileExists: (file) => ts.sys.fileExists(file),
	readFile: (file) => ts.sys.readFile(file),
});

/** A change that does not compile is one that nobody can make by mistake. */
export function compiles({ path, source }: Change): boolean {
	changed = { path: resolve(path), source, version: changed.version + 1 };
	return service.getSemanticDiagnostics(path).length === 0;
}

/** As `npm run build` compiles it, without a look at types. */
export const compiled = (source: string): string =>
	ts.transpileModule(source, { compilerOptions: options }).outputText;
