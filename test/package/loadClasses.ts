/**
 * `node loadClasses.ts <folder>` loads all code of the unpacked package in that folder, makes an object of each class that its
 * package.json names, as n8n does, and prints them as JSON, by the file. It fails if the code asks for any module but the
 * one that n8n grants.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { list, record } from '../n8n-host/json.ts';

const GRANTED = 'n8n-workflow';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the unpacked package');
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

const load = createRequire(join(folder, 'package.json'));
for (const file of globSync('dist/**/*.js', { cwd: folder })) load(join(folder, file));

const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const { nodes, credentials } = record(record(manifest).n8n);
const loaded = [...list(nodes), ...list(credentials)].map(String).map((file) => {
	const [name = ''] = basename(file).split('.');
	const exported: unknown = record(load(join(folder, file)))[name];
	if (typeof exported !== 'function') throw new Error(`${file} exports no class ${name}`);
	const made = record(Reflect.construct(exported, []));
	// JSON drops functions; of those that a description refers to, the names are needed.
	const methods = Object.values(record(made.methods)).flatMap((group) =>
		Object.keys(record(group)),
	);
	return [file, { ...made, methods }];
});
console.log(JSON.stringify(Object.fromEntries(loaded)));
