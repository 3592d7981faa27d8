import { globSync, readFileSync } from 'node:fs';
import { appendFile, cp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packPackage, temporaryFolder } from '../n8n-host/community-package.ts';
import { record } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import type { Ended } from './unpacked.ts';
import { readManifest, run, unpack } from './unpacked.ts';

/** The tarball as it would be published, and what users and n8n's reviewers find in it. */

const MOST_BYTES = 150_000;

/** What n8n's scan looks at in a published package, and in the source that it was built from. */
const SCANNED = {
	package: ['**/*.js', 'package.json'],
	source: ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'],
};

const root = projectRoot();
let workspace: string;
let tarball: string;
let folder: string;

beforeAll(async () => {
	workspace = await temporaryFolder('package');
	tarball = await packPackage(workspace);
	folder = join(workspace, 'unpacked');
	await unpack(tarball, folder);
});

afterAll(async () => {
	await rm(workspace, { recursive: true, force: true });
});

function filesOf(below: string, pattern = '**/*'): string[] {
	const entries = globSync(pattern, { cwd: below, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(below.length + 1))
		.sort();
}

describe('the tarball', () => {
	test('holds the readme, the license, package.json, and of dist the code of every source file and what n8n reads', () => {
		const sources = filesOf(root, '{nodes,credentials}/**/*.ts');
		const assets = ['nodes/**/*.json', 'icons/*.svg'].flatMap((pattern) => filesOf(root, pattern));
		const dist = [...sources.map((file) => file.replace(/\.ts$/, '.js')), ...assets];
		expect(filesOf(folder)).toEqual(
			['LICENSE.md', 'README.md', 'package.json', ...dist.map((file) => `dist/${file}`)].sort(),
		);
	});

	test(`is smaller than ${MOST_BYTES / 1000} kB`, async () => {
		expect((await stat(tarball)).size).toBeLessThan(MOST_BYTES);
	});

	test('asks for no module but its own and the one that n8n grants', () => {
		const code = filesOf(folder, 'dist/**/*.js').map((file) => readFileSync(join(folder, file)));
		const asked = [...code.join('\n').matchAll(/(?:require|import)\(\s*(.*?)\s*\)/g)];
		const others = asked
			.map(([, module = '']) => module)
			.filter((module) => !module.startsWith('".'));
		expect(new Set(others)).toEqual(new Set(['"n8n-workflow"']));
	});

	test('runs nothing when it is installed, and brings nothing along', async () => {
		const manifest = await readManifest(folder);
		const atInstallation = /^(preinstall|install|postinstall|prepare|preprepare)$/;
		const scripts = Object.keys(record(manifest.scripts));
		expect(scripts.filter((name) => atInstallation.test(name))).toEqual([]);
		for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
			expect(manifest).not.toHaveProperty(kind);
		}
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});
});

describe("n8n's own package scan", () => {
	const scan = (below: string, patterns: string[]): Ended =>
		run(process.execPath, [join(root, 'test/package/scan.mjs'), below, ...patterns], { cwd: root });

	test('finds nothing in the tarball, and nothing in the source', () => {
		const nothing = { status: 0, stdout: '', stderr: '' };
		expect(scan(folder, SCANNED.package)).toEqual(nothing);
		expect(scan(root, SCANNED.source)).toEqual(nothing);
	});

	test('would find what n8n does not accept', async () => {
		const faulty = join(workspace, 'faulty');
		await cp(folder, faulty, { recursive: true });
		const code = join(faulty, 'dist/nodes/shared/values/json.js');
		await appendFile(code, '\nconsole.log(process.env);\n');
		const manifest = { ...(await readManifest(faulty)), dependencies: { axios: '1' } };
		await writeFile(join(faulty, 'package.json'), JSON.stringify(manifest));
		const { status, stderr } = scan(faulty, SCANNED.package);
		expect(status).toBe(1);
		for (const rule of ['no-console', 'no-restricted-globals', 'no-runtime-dependencies']) {
			expect(stderr).toContain(rule);
		}
	});
});
