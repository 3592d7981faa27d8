const { existsSync, readFileSync } = require('node:fs');
const { rm } = require('node:fs/promises');
const { basename, dirname } = require('node:path');
const { spawnSync } = require('node:child_process');
const { Transform } = require('node:stream');
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

/** `gulp package --service links`: fills `packages/links` with its part of `dist`, under the name of its package.json. */
async function fillPackage() {
	const at = process.argv.indexOf('--service');
	const folder = `packages/${process.argv[at + 1]}`;
	if (at < 0 || !existsSync(folder)) throw new Error('Run: gulp package --service links|store');
	if (!existsSync('dist')) throw new Error('There is no dist: run npm run build first');

	const { name, n8n } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
	const nodes = dirname(n8n.nodes[0]);
	const icon = basename(nodes).replace(/^[A-Z]/, (letter) => letter.toLowerCase());
	const files = [
		`{${nodes},dist/nodes/shared}/**/*.{js,json}`,
		...n8n.credentials,
		'dist/credentials/fields.js',
		`dist/icons/${icon}*.svg`,
		'README.md',
		'LICENSE.md',
	];
	await rm(`${folder}/dist`, { recursive: true, force: true });
	const copied = src(files, { base: '.', encoding: false })
		.pipe(renamedTo(name))
		.pipe(dest(folder));
	await new Promise((resolve, reject) => copied.on('finish', resolve).on('error', reject));
}

/** Replaces the name of this package in each file. */
function renamedTo(name) {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			file.contents = Buffer.from(
				file.contents.toString().replaceAll(/n8n-nodes-linkstore(?!-)/g, name),
			);
			done(undefined, file);
		},
	});
}

exports['build:assets'] = buildAssets;
exports.build = series(clean, parallel(compile, buildAssets), stamp);
exports.package = fillPackage;
