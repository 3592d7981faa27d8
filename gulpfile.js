const { existsSync, globSync, statSync } = require('node:fs');
const { rm } = require('node:fs/promises');
const { join } = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
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

exports.build = build;
const lint = series(build, parallel(style, types));

exports.lint = lint;
/** With `--continue`, the tests run even if lint found errors. */
exports.test = series(lint, program('jest'));
exports.watch = watchSources;
