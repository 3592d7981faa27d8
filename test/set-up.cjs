/**
 * Makes a fresh clone ready: runs `npm install` when the dependencies are missing or older than the lock file. Runs on
 * whatever Node.js the machine has; what follows it runs on the one that n8n needs, which is among the dependencies.
 */
const { execSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');

const STAMP = 'node_modules/.set-up';

const manifest = ['package.json', 'package-lock.json']
	.filter((file) => existsSync(file))
	.map((file) => readFileSync(file, 'utf8'))
	.join('\n');
const wanted = createHash('sha256').update(manifest).digest('hex');
const installed = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';

if (installed !== wanted) {
	console.log('Installing the development dependencies (one to three minutes) …');
	try {
		// Not `npm ci`: it refuses a lock file that lacks optional packages of other platforms, as this one does. Without
		// `--no-save`, npm would add them to the lock file.
		execSync('npm install --no-save --no-audit --no-fund --loglevel=error', { stdio: 'inherit' });
	} catch {
		console.error('npm install failed; what it printed above says why.');
		process.exit(1);
	}
	writeFileSync(STAMP, wanted);
}
