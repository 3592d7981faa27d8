import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { provideOwner } from '../n8n-host/owner.ts';

test('`npm start` makes a password once, which nobody else on the machine can read', async () => {
	const folders = ['one', 'two'].map((name) => mkdtempSync(join(tmpdir(), `owner-${name}-`)));
	const [first, second] = await Promise.all(folders.map(provideOwner));
	expect(first?.password).toMatch(/^[\w-]{16,}-A1$/);
	expect(second?.password).not.toBe(first?.password);
	for (const folder of folders) {
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
	}
	expect(await provideOwner(folders[0] ?? '')).toEqual(first);
	for (const folder of folders) rmSync(folder, { recursive: true });
});
