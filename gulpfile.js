const { existsSync, globSync, readFileSync, statSync } = require('node:fs');
const { copyFile, rm } = require('node:fs/promises');
const { basename, dirname, join } = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { Transform } = require('node:stream');
const { dest, parallel, series, src, watch } = require('gulp');

/** What n8n reads beside the code: icons, the codex of each node, and sample outputs. */
const ASSETS = ['nodes/**/*.{svg,json}', 'icons/**/*.svg'];
/** All that is built. The watcher takes no braces here. */
const SOURCES = ['credentials/**', 'icons/**', 'nodes/**'];

/** What follows an option in the command line. */
function valueOf(option) {
	const at = process.argv.indexOf(option);
	return at < 0 ? undefined : process.argv[at + 1];
}

/** `gulp lint --fix` changes what can be changed without a person. */
const isFixing = process.argv.includes('--fix');

/** A task that runs a program of `node_modules`, which npm has in its path. */
function program(name, ...args) {
	const task = async () => {
		const child = spawn(name, args, { stdio: 'inherit' });
		const [status] = await once(child, 'close');
		if (status !== 0) throw new Error(`${name} ${args.join(' ')} found errors`);
	};
	return Object.assign(task, { displayName: name });
}

/** `tsc` writes only what has changed since, so commands that build may run side by side. */
const BUILD_INFO = 'dist/tsconfig.tsbuildinfo';

/** What has no source any more would be published. */
async function clean() {
	const built = globSync('dist/{credentials,icons,nodes}/**/*.{js,json,svg}');
	const sourceOf = (file) => file.slice('dist/'.length).replace(/\.js$/, '.ts');
	const isStale = built.some((file) => !existsSync(sourceOf(file)));
	if (isStale || !existsSync(BUILD_INFO)) await rm('dist', { recursive: true, force: true });
}

const compile = program('tsc', '--incremental', '--tsBuildInfoFile', BUILD_INFO);

function buildAssets() {
	const since = existsSync(BUILD_INFO) ? statSync(BUILD_INFO).mtime : undefined;
	return src(ASSETS, { base: '.', encoding: false, since }).pipe(dest('dist'));
}

const build = series(clean, parallel(compile, buildAssets));

/** `gulp watch --into <folder>`: builds after each change of a source, and copies what was built into an installed package. */
function watchSources() {
	const folder = valueOf('--into');
	if (folder === undefined) throw new Error('Run: gulp watch --into <folder>');
	const copy = () =>
		src('dist/**/*.{js,json,map,svg}', { encoding: false }).pipe(dest(join(folder, 'dist')));
	watch(SOURCES, series(build, Object.assign(copy, { displayName: 'copy' })));
}

const eslint = program('eslint', '.', '--max-warnings', '0', ...(isFixing ? ['--fix'] : []));
const prettier = program('prettier', '.', '--log-level', 'warn', isFixing ? '--write' : '--check');
const types = program('tsc', '--noEmit', '-p', 'test/tsconfig.json');
/** Prettier comes second, because it lays out what ESLint changes. */
const style = isFixing ? series(eslint, prettier) : parallel(eslint, prettier);

/** `gulp package --service links`: fills `packages/links` with its part of `dist`, in which the nodes have its name. */
async function fillPackage() {
	const folder = `packages/${valueOf('--service')}`;
	if (!existsSync(folder)) throw new Error('Run: gulp package --service links|store');
	if (!existsSync('dist')) throw new Error('There is no dist: run npm run build first');

	const { name, n8n } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
	const nodes = dirname(n8n.nodes[0]);
	const icon = basename(nodes).replace(/^[A-Z]/, (letter) => letter.toLowerCase());
	const files = [
		`{${nodes},dist/nodes/shared}/**/*.{js,json}`,
		...n8n.credentials,
		'dist/credentials/credentialFields.js',
		`dist/icons/${icon}*.svg`,
	];
	await rm(`${folder}/dist`, { recursive: true, force: true });
	await copyFile('LICENSE.md', `${folder}/LICENSE.md`);
	const copied = src(files, { base: '.', encoding: false })
		.pipe(renamedTo(name))
		.pipe(dest(folder));
	await new Promise((resolve, reject) => copied.on('finish', resolve).on('error', reject));
}

/** Replaces the name of this package, with which node types begin. */
function renamedTo(name) {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const text = file.contents.toString().replaceAll(/n8n-nodes-linkstore(?!-)/g, name);
			file.contents = Buffer.from(text);
			done(undefined, file);
		},
	});
}

exports.build = build;
const lint = series(build, parallel(style, types));

exports.lint = lint;
/** With `--continue`, the tests run even if lint found errors. */
exports.test = series(lint, program('jest'));
exports.package = fillPackage;
exports.watch = watchSources;
