/**
 * Makes a fresh clone ready: runs `npm install` when the dependencies are missing or older than the lock file. Runs on
 * whatever Node.js the machine has. What follows it in a script of package.json runs on the one that n8n needs, which is among
 * the dependencies; there it is `env node`, because a shell remembers where it found the first `node`.
 */
const { execSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');

const STAMP = 'node_modules/.set-up';

const manifest = ['package.json', 'package-lock.json']
	.map((file) => readFileSync(file, 'utf8'))
	.join('\n');
const wanted = createHash('sha256').update(manifest).digest('hex');
const installed = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';

const run = (command) => execSync(command, { stdio: 'inherit' });
/** Not `npm ci`, which removes all that is there first. Of the scripts of packages, only one is needed; others compile for a minute. */
const INSTALL = 'npm install --loglevel=error --ignore-scripts';

if (installed !== wanted) {
	console.log(
		'Installing the development dependencies into node_modules: one to five minutes, 1 GB …',
	);
	const started = Date.now();
	try {
		try {
			// Asks the registry for nothing that is in npm's cache, which may be older than the lock file.
			run(`${INSTALL} --prefer-offline`);
		} catch {
			run(INSTALL);
		}
		run('npm rebuild node --loglevel=error --ignore-scripts=false');
	} catch {
		console.error('npm install failed; what it printed above says why.');
		process.exit(1);
	}
	writeFileSync(STAMP, wanted);
	console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
