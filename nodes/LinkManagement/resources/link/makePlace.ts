// Makes a campaign or a channel that does not exist, once, also for executions at the same time.

import { type NamedList, nameKey } from '../../../shared/lists/namedList';
import { toFailure } from '../../../shared/values/failure';
import { requireId } from '../../writeResults';
import type { LinkRow } from './linkRow';

interface NewPlace {
	what: string;
	list: NamedList;
	/** The path of the create. */
	add: string;
	name: string;
}

/** What is being made in this process, by credential, list and name: executions at once wait for each other. */
const underWay = new Map<string, Promise<unknown>>();

/** @param find looks for it in the list, which is read again */
export async function makePlace(
	place: NewPlace,
	row: LinkRow,
	find: () => Promise<number | undefined>,
): Promise<number> {
	if (row.isDryRun) {
		row.notes.push(`The ${place.what} "${place.name}" would be created`);
		return 0;
	}
	const { connectionKey } = row.session.connection;
	const key = [connectionKey, place.add, nameKey(place.name).toLowerCase()].join(' ');
	const before = underWay.get(key);
	const making = (before ?? Promise.resolve()).then(async () => {
		if (before) row.session.forget(place.list);
		return (before && (await find())) ?? (await make(place, row, find));
	});
	const settled = making.catch(() => undefined);
	underWay.set(key, settled);
	try {
		return await making;
	} finally {
		if (underWay.get(key) === settled) underWay.delete(key);
	}
}

/** Another program may make one of that name at the same time: then both use the oldest. */
async function make(
	{ what, list, add, name }: NewPlace,
	row: LinkRow,
	find: () => Promise<number | undefined>,
): Promise<number> {
	const made = await row
		.send({ method: 'POST', path: add, body: { name } })
		.then(({ body }) => requireId(body))
		.catch((error: unknown) => {
			row.session.forget(list);
			const failure = toFailure(error);
			const message = `The ${what} "${name}" was not created: ${failure.message}`;
			throw failure.with({ message, mayRetry: true });
		});
	row.session.forget(list);
	const oldest = await find();
	row.list(list).put({ id: made, name });
	return oldest ?? made;
}
