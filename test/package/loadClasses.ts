/**
 * `node loadClasses.ts <folder>` loads all code of the unpacked package in that folder, makes an object of each class that its
 * package.json names, and prints what n8n would read from it. It fails if the code asks for any module but the one that
 * n8n grants.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { list, record, text } from '../n8n-host/json.ts';

const GRANTED = 'n8n-workflow';

export interface LoadedClass {
	kind: 'node' | 'credential';
	/** Below the package's folder */
	file: string;
	/** A node's description or a credential type, in JSON: so do editors and databases get it */
	description: unknown;
	/** The names of the functions that the description refers to */
	methods: string[];
}

function forbidOtherModules(folder: string): void {
	const inside = pathToFileURL(`${folder}/`).href;
	registerHooks({
		resolve(specifier, context, nextResolve) {
			const resolved = nextResolve(specifier, context);
			const isOurs = context.parentURL?.startsWith(inside) === true;
			if (isOurs && specifier !== GRANTED && !resolved.url.startsWith(inside)) {
				throw new Error(`${fileURLToPath(String(context.parentURL))} requires ${specifier}`);
			}
			return resolved;
		},
	});
}

/** Where n8n looks for it: under the name of the file. */
function instance(load: NodeJS.Require, folder: string, file: string): unknown {
	const [name = ''] = basename(file).split('.');
	const exported: unknown = record(load(join(folder, file)))[name];
	if (typeof exported !== 'function') throw new Error(`${file} exports no class ${name}`);
	return Reflect.construct(exported, []);
}

function loadClasses(folder: string): LoadedClass[] {
	forbidOtherModules(folder);
	const load = createRequire(join(folder, 'package.json'));
	for (const file of globSync('dist/**/*.js', { cwd: folder })) load(join(folder, file));
	const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const { nodes, credentials } = record(record(manifest).n8n);
	return [
		...list(nodes).map((entry): LoadedClass => {
			const file = text(entry, 'node');
			const node = record(instance(load, folder, file));
			const methods = Object.values(record(node.methods)).flatMap((group) =>
				Object.keys(record(group)),
			);
			return { kind: 'node', file, description: node.description, methods };
		}),
		...list(credentials).map((entry): LoadedClass => {
			const file = text(entry, 'credential');
			return { kind: 'credential', file, description: instance(load, folder, file), methods: [] };
		}),
	];
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the unpacked package');
console.log(JSON.stringify(loadClasses(folder)));
