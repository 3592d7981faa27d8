import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Owner } from './client.ts';
import { DEMO_OWNER } from './instance.ts';

/**
 * The data folder of `npm start`, and the owner account of its n8n, whose password is made at the first start. Other users of
 * the machine reach the port of n8n, too, but they can read neither.
 */
export async function provideOwner(data: string): Promise<Owner> {
	await mkdir(data, { recursive: true });
	await chmod(data, 0o700);
	const file = join(data, 'password');
	// n8n wants a capital letter and a digit in it.
	const made = `${randomBytes(12).toString('base64url')}-A1`;
	if (!existsSync(file)) await writeFile(file, made, { flag: 'wx', mode: 0o600 });
	return { ...DEMO_OWNER, password: await readFile(file, 'utf8') };
}
