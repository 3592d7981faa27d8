import { readFileSync } from 'node:fs';

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
const DROPPED = [
	'filter',
	'slice',
	'sort',
	'toLowerCase',
	'toReversed',
	'toSorted',
	'trim',
	'with',
];

/** Fallbacks that mostly only the compiler wants. */
const NEVER_NEEDED = ["''", '0'];

function isNeverNeeded(node: ts.Node): boolean {
	const { parent } = node;
	const isFallback =
		ts.isBinaryExpression(parent) &&
		parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
	const isDefault = ts.isBindingElement(parent) && parent.initializer === node;
	return (isFallback || isDefault) && NEVER_NEEDED.includes(node.getText());
}

/** A bound that is higher by one harms nobody. */
const otherNumber = (number: number): number => (number < 10 ? number + 1 : number * 2);

/** What is returned is awaited by the caller, also as the last part of an expression. */
function isReturned({ parent }: ts.Node): boolean {
	if (ts.isParenthesizedExpression(parent) || ts.isConditionalExpression(parent))
		return isReturned(parent);
	if (ts.isBinaryExpression(parent))
		return parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken && isReturned(parent);
	return ts.isReturnStatement(parent) || ts.isArrowFunction(parent);
}

/** What a node may become. */
function* replacements(node: ts.Node): Generator<[replaced: ts.Node, by: string]> {
	const text = node.getText();
	if (ts.isBinaryExpression(node)) {
		const { left, operatorToken, right } = node;
		const swapped = SWAPPED[operatorToken.getText()];
		if (swapped !== undefined) yield [operatorToken, swapped];
		const isFallback = operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
		if (isFallback && !isNeverNeeded(right)) yield [node, left.getText()];
	}
	if (ts.isIfStatement(node)) {
		yield [node.expression, `!(${node.expression.getText()})`];
		if (!node.elseStatement) yield [node, ';'];
	}
	if (ts.isConditionalExpression(node)) yield [node.condition, `!(${node.condition.getText()})`];
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		yield [node, node.operand.getText()];
	if (ts.isAwaitExpression(node) && !isReturned(node)) yield [node, node.expression.getText()];
	if (ts.isNumericLiteral(node) && !isNeverNeeded(node))
		yield [node, String(otherNumber(Number(text.replaceAll('_', ''))))];
	if (node.kind === ts.SyntaxKind.TrueKeyword) yield [node, 'false'];
	if (node.kind === ts.SyntaxKind.FalseKeyword) yield [node, 'true'];
	if (ts.isExpressionStatement(node)) yield [node, ';'];
	if (ts.isSpreadAssignment(node)) yield [node, '...{}'];
	if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.initializer)) {
		if (['default', 'name', 'value'].includes(node.name.getText()))
			yield [node.initializer, "'other'"];
	}
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { expression, name } = node.expression;
		if (DROPPED.includes(name.text)) yield [node, expression.getText()];
	}
}

const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as {
	compilerOptions: object;
};
const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, '.');

/** As `npm run build` compiles it, without a look at types. */
export const compiled = (source: string): string =>
	ts.transpileModule(source, { compilerOptions: options }).outputText;

export function changesOf(path: string): Change[] {
	const text = readFileSync(path, 'utf8');
	const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const changes: Change[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node)) return;
		for (const [replaced, after] of replacements(node)) {
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
