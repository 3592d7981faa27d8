import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import ts from 'typescript';

/**
 * What outlives a request, as the code has it, against the table in CONTRIBUTING.md. Found are: variables of a file that can
 * change, what a function keeps that runs while files load (such as the cache behind a dropdown), and the members of classes
 * whose objects one of these holds.
 */

const FILES = globSync(['nodes/**/*.ts', 'credentials/**/*.ts']);
const SOURCES = FILES.map((file) =>
	ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
);

type FunctionNode = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

const isFunction = (node: ts.Node): node is FunctionNode =>
	ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node);

/** A node and all nodes in it, without the bodies of functions and what an object of a class has. */
function* nodesOutsideFunctions(node: ts.Node): Generator<ts.Node> {
	yield node;
	if (isFunction(node) || ts.isClassElement(node)) return;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => {
		children.push(child);
	});
	for (const child of children) yield* nodesOutsideFunctions(child);
}

const COLLECTIONS = ['Map', 'Set', 'WeakMap', 'WeakSet'];

/** Whether a variable can change: it is declared with `let`, or is a collection that begins empty. */
function canChange(declaration: ts.VariableDeclaration): boolean {
	const { initializer, parent } = declaration;
	if (ts.isVariableDeclarationList(parent) && (parent.flags & ts.NodeFlags.Let) !== 0) return true;
	if (!initializer) return false;
	if (ts.isArrayLiteralExpression(initializer)) return initializer.elements.length === 0;
	if (ts.isObjectLiteralExpression(initializer)) return initializer.properties.length === 0;
	if (!ts.isNewExpression(initializer)) return false;
	return COLLECTIONS.includes(initializer.expression.getText()) && !initializer.arguments?.length;
}

/** The functions of all files, by name. */
const FUNCTIONS = new Map<string, FunctionNode>();
for (const source of SOURCES) {
	for (const node of nodesOutsideFunctions(source)) {
		if (ts.isFunctionDeclaration(node) && node.name) FUNCTIONS.set(node.name.text, node);
		if (ts.isVariableDeclaration(node) && node.initializer && isFunction(node.initializer))
			FUNCTIONS.set(node.name.getText(), node.initializer);
	}
}

/** The functions that run while files load, found from what the files call outside of functions. */
function functionsAtLoad(): Set<FunctionNode> {
	const found = new Set<FunctionNode>();
	const follow = (node: ts.Node): void => {
		for (const call of nodesOutsideFunctions(node)) {
			if (!ts.isCallExpression(call) && !ts.isIdentifier(call)) continue;
			const name = ts.isCallExpression(call) ? call.expression.getText() : undefined;
			const called = name === undefined ? undefined : FUNCTIONS.get(name);
			if (!called?.body || found.has(called)) continue;
			found.add(called);
			follow(called.body);
		}
	};
	for (const source of SOURCES) follow(source);
	return found;
}

const placeOf = (declaration: ts.VariableDeclaration): string =>
	`${relative('nodes', declaration.getSourceFile().fileName)}: ${declaration.name.getText()}`;

function kept(): string[] {
	const inFiles = SOURCES.flatMap((source) => [...nodesOutsideFunctions(source)]);
	const inClosures = [...functionsAtLoad()].flatMap(({ body }) => {
		if (!body || !ts.isBlock(body)) return [];
		// What is only used while the function runs is gone after it.
		const inner = body.statements.flatMap((statement) => [...nodesOutsideFunctions(statement)]);
		const later = inner.filter(isFunction).map((each) => each.getText());
		return inner.filter(
			(node) =>
				ts.isVariableDeclaration(node) &&
				later.some((text) => new RegExp(`\\b${node.name.getText()}\\b`).test(text)),
		);
	});
	const declarations = [...inFiles, ...inClosures].filter(ts.isVariableDeclaration);
	return [...new Set(declarations.filter(canChange).map(placeOf))].sort();
}

/** The objects that a limiter consists of. */
const LIMITER_CLASSES = ['RateLimiter', 'RateWindow'];

function keptByLimiters(): string[] {
	const classes = SOURCES.flatMap((source) => source.statements)
		.filter(ts.isClassDeclaration)
		.filter(({ name }) => LIMITER_CLASSES.includes(name?.text ?? ''));
	return classes
		.flatMap(({ name, members }) =>
			members
				.filter(ts.isPropertyDeclaration)
				.map((member) => `${name?.text ?? ''}.${member.name.getText()}`),
		)
		.sort();
}

/** The first columns of the two tables. */
function documented(): string[] {
	const section = /### What outlives a request\n([^]*?)\n##/.exec(
		readFileSync('CONTRIBUTING.md', 'utf8'),
	)?.[1];
	const rows = (section ?? '').split('\n').filter((line) => line.startsWith('| `'));
	return rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? row).sort();
}

test('everything that outlives a request stands in the table, with what removes it', () => {
	expect([...kept(), ...keptByLimiters()].sort()).toEqual(documented());
});
