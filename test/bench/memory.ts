import { readFile, writeFile } from 'node:fs/promises';

/**
 * By how many bytes a process grew beyond what it had while the work was done, at most. Linux keeps that number; writing
 * 5 to `clear_refs` makes it begin anew.
 */
export async function peakGrowth(pid: number, work: () => Promise<void>): Promise<number> {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
	const before = await memoryOf(pid, 'VmRSS');
	await work();
	return (await memoryOf(pid, 'VmHWM')) - before;
}

async function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
	if (kilobytes === undefined) throw new Error(`Linux tells no ${name} of process ${pid}`);
	return Number(kilobytes) * 1024;
}
