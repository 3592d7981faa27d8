/** What `npm run dev` adds to `npm start`: a source that changes is built, and the running n8n loads the nodes again. */
import { spawn } from 'node:child_process';

import { installedPackage } from './community-package.ts';

/** Makes n8n watch the files of its packages, as n8n's own `n8n-node dev` does. */
export const DEV_ENV = { N8N_DEV_RELOAD: 'true' };

/** Builds after each change, into the package that this n8n has installed. @returns what ends it */
export function watchSources(userFolder: string): () => void {
	const words = ['watch', '--into', installedPackage(userFolder)];
	const gulp = spawn('node_modules/.bin/gulp', words, { stdio: 'inherit' });
	return () => gulp.kill();
}
