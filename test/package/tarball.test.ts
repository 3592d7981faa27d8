import { existsSync, globSync, readFileSync } from 'node:fs';
import { appendFile, cp, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { A_NUMBER, A_STRING, including, like } from '../e2e/matchers.ts';
import { temporaryFolder } from '../n8n-host/community-package.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, text } from '../n8n-host/json.ts';
import { PACKAGE_NAME, projectRoot } from '../n8n-host/project.ts';
import { run } from './child.ts';
import type { Ended } from './child.ts';
import type { LoadedClass } from './loadClasses.ts';
import { packAndUnpack, readManifest } from './unpacked.ts';
import type { Unpacked } from './unpacked.ts';

/** The tarball as it would be published, and what users and n8n's reviewers find in it. */

const MOST_BYTES = 150_000;

/** What n8n's scan looks at in a published package, and in the source that it was built from. */
const SCANNED = {
	package: ['**/*.js', 'package.json'],
	source: ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'],
};

const root = projectRoot();
let workspace: string;
let unpacked: Unpacked;

beforeAll(async () => {
	workspace = await temporaryFolder('package');
	unpacked = await packAndUnpack(workspace);
});

afterAll(async () => {
	await rm(workspace, { recursive: true, force: true });
});

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

function filesOf(folder: string, pattern = '**/*'): string[] {
	const entries = globSync(pattern, { cwd: folder, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
		.sort();
}

describe('the tarball', () => {
	test('holds the readme, the license, package.json and dist, and nothing else', () => {
		const others = filesOf(unpacked.folder).filter((file) => !file.startsWith('dist/'));
		expect(others).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	});

	test('holds the code of every source file, and beside it only what n8n reads', () => {
		const dist = filesOf(unpacked.folder, 'dist/**/*').map((file) => file.slice('dist/'.length));
		const sources = ['nodes', 'credentials'].flatMap((folder) =>
			filesOf(root, `${folder}/**/*.ts`).map((file) => file.replace(/\.ts$/, '.js')),
		);
		const assets = ['nodes/**/*.json', 'icons/*.svg'].flatMap((pattern) => filesOf(root, pattern));
		expect(dist).toEqual([...sources, ...assets].sort());
	});

	test(`is smaller than ${MOST_BYTES / 1000} kB`, async () => {
		const { size } = await stat(unpacked.tarball);
		expect(size).toBeLessThan(MOST_BYTES);
	});

	test('runs nothing when it is installed, and brings nothing along', async () => {
		const { scripts, dependencies, optionalDependencies, bundleDependencies, peerDependencies } =
			await readManifest(unpacked.folder);
		const atInstallation = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare'];
		expect(Object.keys(record(scripts))).not.toEqual(
			expect.arrayContaining([expect.stringMatching(`^(${atInstallation.join('|')})$`)]),
		);
		expect([dependencies, optionalDependencies, bundleDependencies]).toEqual(
			Array<unknown>(3).fill(undefined),
		);
		expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});
});

describe('the classes in the tarball', () => {
	const load = (): Ended =>
		run(process.execPath, [join(root, 'test/package/loadClasses.ts'), unpacked.folder], {
			cwd: workspace,
		});

	function loaded(kind: LoadedClass['kind']): Array<LoadedClass & { description: JsonRecord }> {
		const { status, stdout, stderr } = load();
		if (status !== 0) throw new Error(stderr);
		const classes = list(JSON.parse(stdout)).map(record);
		return classes
			.filter((found) => found.kind === kind)
			.map(({ file, description, methods }) => ({
				kind,
				file: text(file, 'file'),
				description: record(description),
				methods: list(methods).map(String),
			}));
	}

	const iconFiles = (icon: unknown, classFile: string): string[] =>
		Object.values(record(icon)).map((reference) => {
			const [scheme, path = ''] = text(reference, 'icon').split(':');
			expect(scheme).toBe('file');
			return join(unpacked.folder, dirname(classFile), path);
		});

	test('load where only n8n-workflow can be found, with all that their descriptions need', async () => {
		const nodes = loaded('node');
		const credentials = loaded('credential');
		const manifest = record((await readManifest(unpacked.folder)).n8n);
		expect(nodes.map(({ file }) => file)).toEqual(manifest.nodes);
		expect(credentials.map(({ file }) => file)).toEqual(manifest.credentials);

		const credentialNames = credentials.map(({ description }) => description.name);
		for (const { description, methods } of nodes) {
			expect(description).toMatchObject({
				displayName: like(/^[A-Z]/),
				name: like(/^[a-z][A-Za-z]+$/),
				description: like(/\w/),
				group: [A_STRING],
				version: A_NUMBER,
				defaults: { name: A_STRING },
			});
			for (const member of ['inputs', 'outputs', 'properties']) {
				expect(Array.isArray(description[member])).toBe(true);
			}
			const used = list(description.credentials).map(record);
			expect(used).toHaveLength(1);
			expect(credentialNames).toEqual(expect.arrayContaining(used.map(({ name }) => name)));
			expect(methods).toEqual(expect.arrayContaining(used.map(({ testedBy }) => testedBy)));
		}
		for (const { description } of credentials) {
			expect(description).toMatchObject({
				displayName: like(/ API$/),
				documentationUrl: like(/^https:/),
			});
			expect(list(description.properties)).toContainEqual(including({ name: 'apiKey' }));
		}
		for (const { file, description } of [...nodes, ...credentials]) {
			const icons = iconFiles(description.icon, file);
			expect(icons).toHaveLength(2);
			for (const icon of icons) expect(readFileSync(icon, 'utf8')).toMatch(/^<svg/);
		}
	});

	test('have a codex each, and a sample of the output of every operation', () => {
		const lacking = [];
		for (const { file, description } of loaded('node')) {
			const codex = record(readJson(join(unpacked.folder, file.replace(/\.js$/, '.json'))));
			expect(codex.node).toBe(`${PACKAGE_NAME}.${text(description.name, 'name')}`);
			const properties = list(description.properties).map(record);
			for (const { displayOptions, options } of properties.filter(
				({ name }) => name === 'operation',
			)) {
				const [resource] = list(record(record(displayOptions).show).resource);
				for (const { value } of list(options).map(record)) {
					const sample = `__schema__/v${String(description.version)}.0.0/${String(resource)}/${String(value)}.json`;
					if (!existsSync(join(unpacked.folder, dirname(file), sample))) lacking.push(sample);
				}
			}
		}
		expect(lacking).toEqual([]);
	});

	test('would not load if one of them asked for anything else', async () => {
		const file = join(unpacked.folder, 'dist/nodes/shared/values/json.js');
		const code = readFileSync(file, 'utf8');
		for (const module of ['node:fs', 'axios', join(root, 'package.json')]) {
			await appendFile(file, `\nrequire(${JSON.stringify(module)});\n`);
			const { status, stderr } = load();
			await writeFile(file, code);
			expect(status).not.toBe(0);
			expect(stderr).toContain(module);
		}
		expect(load().status).toBe(0);
	});
});

describe("n8n's own package scan", () => {
	const scan = (folder: string, patterns: string[]): Ended =>
		run(process.execPath, [join(root, 'test/package/scan.mjs'), folder, ...patterns], {
			cwd: root,
		});

	test('finds nothing in the tarball', () => {
		expect(scan(unpacked.folder, SCANNED.package)).toEqual({ status: 0, stdout: '', stderr: '' });
	});

	test('finds nothing in the source', () => {
		expect(scan(root, SCANNED.source)).toEqual({ status: 0, stdout: '', stderr: '' });
	});

	test('would find what n8n does not accept', async () => {
		const faulty = join(workspace, 'faulty');
		await cp(unpacked.folder, faulty, { recursive: true });
		await appendFile(
			join(faulty, 'dist/nodes/shared/values/json.js'),
			'\nconsole.log(process.env);\n',
		);
		const manifest = { ...(await readManifest(faulty)), dependencies: { axios: '1' } };
		await writeFile(join(faulty, 'package.json'), JSON.stringify(manifest));
		const { status, stderr } = scan(faulty, SCANNED.package);
		expect(status).toBe(1);
		expect(stderr).toMatch(/no-console/);
		expect(stderr).toMatch(/no-restricted-globals/);
		expect(stderr).toMatch(/no-runtime-dependencies/);
	});
});
