import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../n8n-host/community-package.ts';
import { text } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import type { Ended } from './unpacked.ts';
import { readManifest, run, unpack } from './unpacked.ts';

/** `.ci/pack`, which makes the tarball that is published, in a copy of what it needs. */

const SCRIPT = '.ci/pack';

let workspace: string;
let checkout: string;
let version: string;

beforeEach(async () => {
	workspace = await temporaryFolder('pack');
	checkout = join(workspace, 'checkout');
	await mkdir(checkout);
	for (const name of ['package.json', 'README.md', 'LICENSE.md', 'dist', SCRIPT]) {
		await cp(join(projectRoot(), name), join(checkout, name), { recursive: true });
	}
	version = text((await readManifest(checkout)).version, 'version');
});

afterEach(async () => {
	await rm(workspace, { recursive: true, force: true });
});

const GITHUB = {
	GITHUB_SERVER_URL: 'https://github.com',
	GITHUB_REPOSITORY: 'somebody/some-repository',
};

const pack = (tag: string): Ended =>
	run('bash', [SCRIPT], { cwd: checkout, env: { GITHUB_REF_NAME: tag, ...GITHUB } });

async function tarballs(): Promise<string[]> {
	return (await readdir(checkout)).filter((name) => name.endsWith('.tgz'));
}

test('the published package names the repository that publishes it, and is otherwise as it is here', async () => {
	expect(pack(`v${version}`)).toMatchObject({ status: 0 });
	expect(await tarballs()).toEqual([`n8n-nodes-linkstore-${version}.tgz`]);
	const folder = join(workspace, 'unpacked');
	await unpack(join(checkout, ...(await tarballs())), folder);
	const address = 'https://github.com/somebody/some-repository';
	expect(await readManifest(folder)).toEqual({
		...(await readManifest(projectRoot())),
		repository: { type: 'git', url: `git+${address}.git` },
		bugs: { url: `${address}/issues` },
	});
	expect(await readdir(folder)).toHaveLength(4);
});

test.each([
	{ what: 'under the tag of another version', tag: () => 'v0.0.1', says: 'The tag is v0.0.1, but' },
	{ what: 'under a tag that is no version', tag: () => 'main', says: 'The tag is main, but' },
	{ what: 'before it was built', tag: () => `v${version}`, says: 'npm run build', unbuilt: true },
])('nothing is packed $what', async ({ tag, says, unbuilt = false }) => {
	if (unbuilt) await rm(join(checkout, 'dist'), { recursive: true });
	const { status, stderr } = pack(tag());
	expect(status).toBe(1);
	expect(stderr).toContain(says);
	expect(await tarballs()).toEqual([]);
	expect(await readManifest(checkout)).toEqual(await readManifest(projectRoot()));
});
