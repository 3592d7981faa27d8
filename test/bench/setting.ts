import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { record, text } from '../n8n-host/json.ts';
import { projectRoot } from '../n8n-host/project.ts';
import type { N8nInstall } from '../n8n-host/install.ts';
import type { Table } from './report.ts';

const execFileAsync = promisify(execFile);
const BYTES_PER_GIB = 2 ** 30;

/** On what, of what and when it was measured. */
export async function describeSetting({ node, folder }: N8nInstall): Promise<Table> {
	const { stdout } = await execFileAsync(node, ['--version']);
	const { version } = await manifest(projectRoot());
	const memory = Math.round(totalmem() / BYTES_PER_GIB);
	const cores = availableParallelism();
	const [load = 0] = loadavg();
	return {
		head: ['Setting', 'Value'],
		rows: [
			['Date', new Date().toISOString().slice(0, 10)],
			[
				'Machine',
				`${cores} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory} GiB of memory, ${process.platform}`,
			],
			['Load when it began', `${load.toFixed(1)} processes`],
			['n8n', (await manifest(join(folder, 'node_modules', 'n8n'))).version],
			['Node.js', stdout.trim().replace(/^v/, '')],
			['n8n-nodes-linkstore', version],
			[
				'Services',
				'The sandbox of the same version, on the same machine, in another process than n8n',
			],
		],
	};
}

async function manifest(folder: string): Promise<{ version: string }> {
	const content = record(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
	return { version: text(content.version, 'version') };
}
