import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { isRecord } from './json.ts';

export const PACKAGE_NAME = 'n8n-nodes-linkstore';

/** Found from the working directory: no way to ask for "the folder of this file" works in ES modules and under Jest. */
export function projectRoot(): string {
	for (let folder = process.cwd(); ; folder = dirname(folder)) {
		const manifest = join(folder, 'package.json');
		if (existsSync(manifest)) {
			const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
			if (isRecord(content) && content.name === PACKAGE_NAME) return folder;
		}
		if (dirname(folder) === folder) {
			throw new Error(`Run this inside the ${PACKAGE_NAME} checkout, not in ${process.cwd()}`);
		}
	}
}

/** An npm that works with the Node.js of this process: the one that started us if one did. */
export function npmCommand(): { command: string; args: string[] } {
	const npm = process.env.npm_execpath;
	return npm !== undefined && /npm-cli\.c?js$/.test(npm)
		? { command: process.execPath, args: [npm] }
		: { command: 'npm', args: [] };
}

/** This project's folder among a user's files, where the XDG base directory specification puts it. */
export function userFolder(variable: 'XDG_CACHE_HOME' | 'XDG_DATA_HOME', preset: string): string {
	const base = process.env[variable];
	const isSet = base !== undefined && base !== '';
	return join(isSet ? base : join(homedir(), preset), PACKAGE_NAME);
}
