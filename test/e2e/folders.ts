import { rm } from 'node:fs/promises';

/** Removes a folder with all in it, also when a process that is just ending still writes into it. */
export async function removeFolder(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
