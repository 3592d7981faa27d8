// How *Create or Update* finds the link of a row: by a look-up, or in the list, which is read once a run.

import type { IDataObject } from 'n8n-workflow';

import { singleRecord } from '../../../shared/lists/namedList';
import { RecordIndex } from '../../../shared/lists/recordIndex';
import { textIn } from '../../../shared/values/json';
import { decoded } from '../../../shared/values/text';
import { links } from '../../serviceLists';
import { aliasIn, hostIn, shortUrlOf } from '../../values/shortUrl';
import type { WantedRow } from './claims';
import { type LinkRow, readNewest } from './linkRow';

type Wanted = Pick<WantedRow, 'host' | 'alias' | 'keys'>;

/** With at most a few requests. @returns undefined also if the rest of the list may have it */
export async function findQuickly(wanted: Wanted, row: LinkRow): Promise<IDataObject | undefined> {
	const { alias } = wanted;
	if (alias === undefined) return undefined;
	const found = await row.index.lookUp(lookUpUrl(alias, wanted.host, row), row.rowsLeft);
	// It is known without a look-up, or page 1 shows it, where the service ignores look-ups.
	return found ?? knownLink(wanted, row);
}

function lookUpUrl(alias: string, host: string, { shortBase }: LinkRow): string {
	const name = encodeURIComponent(decoded(alias));
	const isOwn = host === hostIn(shortBase);
	return isOwn ? `${shortBase}/${name}` : shortUrlOf(`${host}/${name}`, shortBase);
}

/** In the list, read as far as needed. A link is found by its long URL only when all are known: the oldest counts. */
export async function findInList(wanted: Wanted, row: LinkRow): Promise<IDataObject | undefined> {
	const { alias } = wanted;
	const { index } = row;
	await readNewest(row);
	for (;;) {
		const found = alias === undefined ? undefined : knownLink(wanted, row);
		if (found && alias !== undefined && isFinal(found, alias)) return found;
		if (alias !== undefined && index.pagesLeft > row.rowsLeft && (await index.findsAll()))
			return found;
		if (!(await index.readNextPage())) return knownLink(wanted, row);
	}
}

/** Another alias of the same form may follow, which is as it was entered. */
const isFinal = (link: IDataObject, entered: string): boolean =>
	decoded(textIn(link.alias) ?? aliasIn(link.shorturl, entered) ?? '') === decoded(entered);

/** @throws Failure if several have the alias, and none as it was entered */
function knownLink({ alias, keys }: Wanted, { index }: LinkRow): IDataObject | undefined {
	let found: IDataObject[] = [];
	for (const key of keys) if (found.length === 0) found = index.named(key, true);
	if (alias === undefined) return found[0];
	const exact = found.filter((link) => isFinal(link, alias));
	return singleRecord(links, alias, exact.length > 0 ? exact : found);
}

/** Reads page 1 again: another program may have made the link since. */
export async function findAmongNewest(
	wanted: Wanted,
	row: LinkRow,
): Promise<IDataObject | undefined> {
	const newest = new RecordIndex(links, row.send, row.shortBase);
	await newest.readNextPage();
	const found = knownLink(wanted, { ...row, index: newest });
	return found && row.index.put(found);
}
