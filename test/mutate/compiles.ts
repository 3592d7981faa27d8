import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import ts from 'typescript';

import type { Change } from './changes.ts';

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
