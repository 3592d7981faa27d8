import { existsSync, globSync, readFileSync } from 'node:fs';
import { appendFile, cp, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { temporaryFolder } from '../n8n-host/community-package.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, text } from '../n8n-host/json.ts';
import { PACKAGE_NAME, projectRoot } from '../n8n-host/project.ts';
import type { Ended } from './unpacked.ts';
import { packAndUnpack, readManifest, run } from './unpacked.ts';

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
	({ tarball, folder } = await packAndUnpack(workspace));
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

describe('the classes in the tarball', () => {
	const load = (): Ended =>
		run(process.execPath, [join(root, 'test/package/loadClasses.ts'), folder], { cwd: workspace });

	/** Nodes and credential types, by the file. */
	function loaded(): Array<[string, JsonRecord]> {
		const { status, stdout, stderr } = load();
		if (status !== 0) throw new Error(stderr);
		return Object.entries(record(JSON.parse(stdout))).map(([file, made]) => [file, record(made)]);
	}

	/** What is missing beside the class of a node: its codex, and a sample of the output of every operation. */
	function missingBeside(file: string, description: JsonRecord): string[] {
		const codexFile = join(folder, file.replace(/\.js$/, '.json'));
		const codex = record(JSON.parse(readFileSync(codexFile, 'utf8')));
		expect(codex.node).toBe(`${PACKAGE_NAME}.${text(description.name, 'name')}`);
		const operations = list(description.properties)
			.map(record)
			.filter(({ name }) => name === 'operation');
		const samples = operations.flatMap(({ displayOptions, options }) => {
			const [resource] = list(record(record(displayOptions).show).resource);
			const version = `v${String(description.version)}.0.0`;
			return list(options).map(
				(option) =>
					`__schema__/${version}/${String(resource)}/${String(record(option).value)}.json`,
			);
		});
		return samples.filter((sample) => !existsSync(join(folder, dirname(file), sample)));
	}

	test('load where only n8n-workflow can be found, with all that their descriptions refer to', async () => {
		const classes = loaded();
		const { nodes, credentials } = record((await readManifest(folder)).n8n);
		expect(classes.map(([file]) => file)).toEqual([...list(nodes), ...list(credentials)]);
		const names = classes.map(([, { name }]) => name);
		for (const [file, made] of classes) {
			const description = made.description === undefined ? made : record(made.description);
			const icons = Object.values(record(description.icon)).map(String);
			expect(icons).toHaveLength(2);
			for (const icon of icons) {
				const picture = join(folder, dirname(file), icon.replace(/^file:/, ''));
				expect(readFileSync(picture, 'utf8')).toMatch(/^<svg/);
			}
			if (made.description === undefined) continue;
			const [credential] = list(description.credentials).map(record);
			expect(names).toContain(credential?.name);
			expect(made.methods).toContain(credential?.testedBy);
			expect([file, missingBeside(file, description)]).toEqual([file, []]);
		}
	});

	test('would not load if one of them asked for anything else', async () => {
		const file = join(folder, 'dist/nodes/shared/values/json.js');
		const code = readFileSync(file, 'utf8');
		for (const module of ['node:fs', 'axios', join(root, 'package.json')]) {
			await appendFile(file, `\nrequire(${JSON.stringify(module)});\n`);
			const { status, stderr } = load();
			await writeFile(file, code);
			expect(status).not.toBe(0);
			expect(stderr).toContain(module);
		}
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
