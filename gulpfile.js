const { rm } = require('node:fs/promises');
const { spawnSync } = require('node:child_process');
const { dest, parallel, series, src } = require('gulp');
const { writeStamp } = require('./test/buildStamp.ts');

/** What n8n reads beside the code: icons, the codex of each node, and sample outputs. */
const ASSETS = ['nodes/**/*.{svg,json}', 'icons/**/*.svg'];

async function clean() {
	await rm('dist', { recursive: true, force: true });
}

function compile(done) {
	const compiler = require.resolve('typescript/bin/tsc');
	const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
		stdio: 'inherit',
	});
	done(status === 0 ? undefined : new Error('The TypeScript compiler found errors'));
}

function buildAssets() {
	return src(ASSETS, { base: '.', encoding: false }).pipe(dest('dist'));
}

async function stamp() {
	writeStamp(__dirname);
}

exports['build:assets'] = buildAssets;
exports.build = series(clean, parallel(compile, buildAssets), stamp);
