import { inflateRawSync } from 'node:zlib';

const DEFLATED = 8;

/** The files in a zip archive, by name. */
export function filesInZip(archive: Buffer): Map<string, Buffer> {
	const files = new Map<string, Buffer>();
	// The archive ends with where its directory begins, and how many entries that has.
	let entry = archive.readUInt32LE(archive.length - 6);
	for (let left = archive.readUInt16LE(archive.length - 12); left > 0; left -= 1) {
		const word = (offset: number) => archive.readUInt16LE(entry + offset);
		const local = archive.readUInt32LE(entry + 42);
		const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
		const content = archive.subarray(begin, begin + archive.readUInt32LE(entry + 20));
		const name = archive.toString('utf8', entry + 46, entry + 46 + word(28));
		files.set(name, word(10) === DEFLATED ? inflateRawSync(content) : content);
		entry += 46 + word(28) + word(30) + word(32);
	}
	return files;
}
