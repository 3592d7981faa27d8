import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';

const DIST = path.join(__dirname, '../../../dist/nodes');

/** Constants that take longer to make than all other modules, and remember nothing. */
const SHARED = ['LinkManagement/suggestions.js'].map((file) => path.join(DIST, file));

type Exports = Record<string, unknown>;
type Evaluate = (
	exports: Exports,
	require: unknown,
	module: unknown,
	...globals: unknown[]
) => void;

/** Jest's own, so that an error of a test is an `Error` to a module, and the reverse. */
const GLOBALS = { Array, Error, Map, Object, Promise, Set };

const evaluations = new Map<string, Evaluate>();
const files = new Map<string, string>();
const shared = new Map<string, Exports>();
const requireOther = createRequire(path.join(DIST, 'nodes.js'));

/**
 * A copy of the compiled package, as in a process that was just started: what its modules remember, no other copy knows. Other
 * packages are shared. `jest.isolateModules` does the same, in ten times the time.
 * @param random instead of `Math.random`
 */
export class OwnModules {
	private readonly loaded = new Map<string, Exports>();
	private readonly globals: readonly unknown[];

	constructor(random: () => number) {
		const math = Object.create(Math) as typeof Math;
		math.random = random;
		this.globals = [math, ...Object.values(GLOBALS)];
	}

	/** @param name such as `shared/lists/pages.js` */
	load(name: string): unknown {
		return this.exportsOf(path.join(DIST, name));
	}

	private exportsOf(file: string): Exports {
		const loaded = SHARED.includes(file) ? shared : this.loaded;
		const known = loaded.get(file);
		if (known) return known;
		const module = { exports: {} as Exports };
		loaded.set(file, module.exports);
		const directory = path.dirname(file);
		const require = (name: string): unknown =>
			name.startsWith('.') ? this.exportsOf(fileOf(directory, name)) : requireOther(name);
		evaluationOf(file)(module.exports, require, module, ...this.globals);
		loaded.set(file, module.exports);
		return module.exports;
	}
}

function evaluationOf(file: string): Evaluate {
	const known = evaluations.get(file);
	if (known) return known;
	const code = readFileSync(file, 'utf8');
	const names = ['exports', 'require', 'module', 'Math', ...Object.keys(GLOBALS)];
	const evaluate = compileFunction(code, names, { filename: file }) as Evaluate;
	evaluations.set(file, evaluate);
	return evaluate;
}

function fileOf(directory: string, name: string): string {
	const known = files.get(`${directory} ${name}`);
	if (known !== undefined) return known;
	const file = path.join(directory, name);
	const found = existsSync(`${file}.js`) ? `${file}.js` : path.join(file, 'index.js');
	files.set(`${directory} ${name}`, found);
	return found;
}
