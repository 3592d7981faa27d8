/**
 * Whether `dist` was built from the sources as they are: the build writes a hash of them there. Times of files would not
 * do: a copy or a checkout may keep or change them.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
	'{credentials,icons,nodes}/**/*',
	'gulpfile.js',
	'package-lock.json',
	'tsconfig.json',
];
const STAMP = 'dist/.sources';

function hashOfSources(root: string): string {
	const hash = createHash('sha256');
	for (const file of globSync(SOURCES, { cwd: root }).sort()) {
		const path = join(root, file);
		if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
	}
	return hash.digest('hex');
}

export function isBuildCurrent(root: string): boolean {
	const stamp = join(root, STAMP);
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources(root);
}

/** The last step of a build. */
export function writeStamp(root: string): void {
	writeFileSync(join(root, STAMP), hashOfSources(root));
}

/**
 * Jest's globalSetup.
 *
 * @throws Error when `dist` is missing or outdated
 */
export default function requireCurrentBuild({ rootDir }: { rootDir: string }): void {
	if (isBuildCurrent(rootDir)) return;
	throw new Error('Tests run the compiled dist, which is missing or outdated. Run: npm run build');
}
