// How a row is checked, and what an operation has while it executes the row (`RowContext`).

import type { ExecuteRow } from './batch';
import type { Execute, Operation, RowContext } from './operation';
import { itemsOf } from './output';
import { type OperationFields, PLACEHOLDER } from './requestFields';
import type { EnteredRow } from './rowInput';
import type { Session } from './session';

interface RowOptions {
	label: string;
	rowsLeft: number;
}

/** Reads and checks every field; sends nothing. @returns what executes the row @throws Failure */
export function checkRow(
	input: EnteredRow,
	{ operation, locators }: OperationFields,
	session: Session,
	{ label, rowsLeft }: RowOptions,
): ExecuteRow {
	const { method, url } = operation.request;
	const draft = input.readRequest();
	if (!draft) {
		const items = itemsOf([{ json: operation.skipped ?? {} }], input, operation);
		return async () => await Promise.resolve(items);
	}
	const execute = (operation.prepare ?? sendOne(operation))(input, { ...draft, session, label });
	return async (writes, atEnd) => {
		const known = await idsOfNames(input, method, session, rowsLeft);
		const id = (name: string): number => {
			const found = known.get(name);
			if (found === undefined) throw new RangeError(`${name} was not picked`);
			return found;
		};
		const ids = Object.fromEntries(locators.map(({ name }) => [name, id(name)]));
		const path = fillPath(url, { ...input.parameters, ...ids });
		const row: RowContext = {
			input,
			session,
			writes,
			send: session.send,
			list: session.list,
			atEnd,
			rowsLeft,
			id,
			label,
		};
		const results = await execute({ method, path, ids, ...draft }, row);
		return itemsOf(results, input, operation);
	};
}

const sendOne =
	({ toItems = (body) => [body] }: Operation) =>
	(input: EnteredRow): Execute =>
	async (request, { send }) =>
		toItems((await send(request)).body, request, input).map((json) => ({ json }));

/** Looks up the names that were entered. A write must not hit a namesake, so it reads the list to its end. */
async function idsOfNames(
	{ refs }: EnteredRow,
	method: string,
	session: Session,
	rows: number,
): Promise<ReadonlyMap<string, number>> {
	const ids = new Map<string, number>();
	for (const [parameter, ref] of refs) {
		if (typeof ref === 'number') {
			ids.set(parameter, ref);
			continue;
		}
		const index = session.list(ref.list);
		const isDeletion = method === 'DELETE';
		// A deletion shifts the pages that are not read yet, so all are read before it.
		const readsAll = isDeletion || (method !== 'GET' && !index.isUnique(ref.name));
		const id = await index.idOf(
			ref.name,
			{ scan: readsAll ? 'all' : 'first', match: isDeletion ? 'exact' : 'ignoreCase' },
			rows,
		);
		ids.set(parameter, id);
	}
	return ids;
}

/** Only ids and options stand in a path, so no row can lead to another one. */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
	path.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);
