import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import requireCurrentBuild, { writeStamp } from '../buildStamp.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';

let rootDir: string;
const path = (name: string) => join(rootDir, name);

beforeEach(async () => {
	rootDir = await temporaryFolder('stamp');
	mkdirSync(path('dist'));
	for (const file of ['nodes/a.ts', 'nodes/shared/b.ts']) {
		cpSync('jest.config.js', path(file), { preserveTimestamps: true });
	}
	writeStamp(rootDir);
	requireCurrentBuild({ rootDir });
});
afterEach(async () => await removeFolder(rootDir));

const CHANGES: Record<string, () => void> = {
	'no dist': () => rmSync(path('dist'), { recursive: true }),
	'a changed source': () => writeFileSync(path('nodes/shared/b.ts'), 'c'),
	'an older source': () => cpSync('package.json', path('nodes/a.ts'), { preserveTimestamps: true }),
	'a new source': () => writeFileSync(path('nodes/c.ts'), ''),
	'a source less': () => rmSync(path('nodes/shared/b.ts')),
	'a renamed source': () => renameSync(path('nodes/a.ts'), path('nodes/z.ts')),
};

test.each(Object.keys(CHANGES))('no test runs with %s', (change) => {
	CHANGES[change]?.();
	expect(() => requireCurrentBuild({ rootDir })).toThrow('Run: npm run build');
});
