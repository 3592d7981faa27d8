import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../n8n-host/community-package.ts';
import { text } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import type { Ended } from './child.ts';
import { run } from './child.ts';
import { readManifest, unpack } from './unpacked.ts';

/** `.ci/pack`, which makes the tarball that is published, in a copy of what it needs. */

const SCRIPT = '.ci/pack';

let workspace: string;
let checkout: string;

beforeEach(async () => {
	workspace = await temporaryFolder('pack');
	checkout = join(workspace, 'checkout');
	await mkdir(checkout);
	for (const name of ['package.json', 'README.md', 'LICENSE.md', 'dist', SCRIPT]) {
		await cp(join(projectRoot(), name), join(checkout, name), { recursive: true });
	}
});

afterEach(async () => {
	await rm(workspace, { recursive: true, force: true });
});

function pack(tag: string): Ended {
	return run('bash', [SCRIPT], {
		cwd: checkout,
		env: {
			GITHUB_REF_NAME: tag,
			GITHUB_SERVER_URL: 'https://github.com',
			GITHUB_REPOSITORY: 'somebody/some-repository',
		},
	});
}

async function tarballs(): Promise<string[]> {
	return (await readdir(checkout)).filter((name) => name.endsWith('.tgz'));
}

test('the published package names the repository that publishes it, and is otherwise as it is here', async () => {
	const here = await readManifest(projectRoot());
	const version = text(here.version, 'version');
	expect(pack(`v${version}`)).toMatchObject({ status: 0 });
	expect(await tarballs()).toEqual([`n8n-nodes-linkstore-${version}.tgz`]);

	const folder = join(workspace, 'unpacked');
	await unpack(join(checkout, ...(await tarballs())), folder);
	const address = 'https://github.com/somebody/some-repository';
	expect(await readManifest(folder)).toEqual({
		...here,
		repository: { type: 'git', url: `git+${address}.git` },
		bugs: { url: `${address}/issues` },
	});
	expect((await readdir(folder)).sort()).toEqual([
		'LICENSE.md',
		'README.md',
		'dist',
		'package.json',
	]);
});

test.each(['v0.0.1', '1.0.0', 'main'])('nothing is packed under the tag %s', async (tag) => {
	const { status, stderr } = pack(tag);
	expect(status).toBe(1);
	expect(stderr).toContain(`The tag is ${tag}, but package.json says`);
	expect(await tarballs()).toEqual([]);
	expect(await readManifest(checkout)).toEqual(await readManifest(projectRoot()));
});

test('nothing is packed before it was built', async () => {
	await rm(join(checkout, 'dist'), { recursive: true });
	const { version } = await readManifest(checkout);
	const { status, stderr } = pack(`v${String(version)}`);
	expect(status).toBe(1);
	expect(stderr).toContain('npm run build');
	expect(await tarballs()).toEqual([]);
});
