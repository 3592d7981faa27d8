// A row of input. `prepareRow` reads and checks its form; a `Row` is what an operation has at the row's turn.

import type { INodeExecutionData } from 'n8n-workflow';

import type { Send } from '../http/connection';
import type { NamedList, RecordIndex } from '../lists/recordIndex';
import { fillPath, type Form, type FormPlan } from './form';
import type { Operation, Perform, RowContext } from './operation';
import { outputOf } from './output';
import type { Memory, Run } from './run';
import type { AboutRow, Session } from './session';

export class Row implements RowContext {
	readonly send: Send;
	readonly list: (list: NamedList) => RecordIndex;
	private readonly ids = new Map<string, number>();

	constructor(
		readonly form: Form,
		readonly session: Session,
		/** How messages name it. */
		private readonly place: string,
		readonly memory: Memory,
		readonly letOthersPass: () => Promise<void>,
	) {
		this.send = session.send;
		this.list = session.list;
	}

	earlierAbout(what: string, says = ''): AboutRow | undefined {
		return this.session.earlierAbout(what, { place: this.place, says });
	}

	id(name: string): number {
		const id = this.ids.get(name);
		if (id === undefined) throw new RangeError(`${name} was not picked`);
		return id;
	}

	/** Looks the names up that the form picked. A write must not hit a namesake, so it reads the list to its end. */
	async lookUp(method: string): Promise<void> {
		for (const [parameter, pick] of this.form.picks) {
			if (typeof pick === 'number') {
				this.ids.set(parameter, pick);
				continue;
			}
			const index = this.list(pick.list);
			const isDeletion = method === 'DELETE';
			// A deletion shifts the pages that are not read yet, so all are read before it.
			const toEnd = isDeletion || (method !== 'GET' && !index.isUnique(pick.name));
			this.ids.set(parameter, await index.idOf(pick.name, toEnd, isDeletion));
		}
	}
}

/** Reads and checks every field; sends nothing. @returns what to do at the row's turn @throws Failure */
export function prepareRow(
	form: Form,
	{ operation, locators }: FormPlan,
	session: Session,
	place: string,
	run: Run,
): (memory: Memory) => Promise<INodeExecutionData[]> {
	const { method, url } = operation.request;
	const draft = form.draft();
	if (!draft)
		return async () => await Promise.resolve(outputOf([{ json: operation.skipped ?? {} }], form));
	const { words, body, query } = draft;
	const perform = (operation.prepare ?? sendOne(operation))(form);
	return async (memory) => {
		const row = new Row(form, session, place, memory, async () => await run.letOthersPass());
		await row.lookUp(method);
		const ids = Object.fromEntries(locators.map((name) => [name, row.id(name)]));
		const path = fillPath(url, { ...ids, ...words });
		return outputOf(await perform({ method, path, ids, query, body }, row), form);
	};
}

const sendOne =
	({ results = (body) => [body] }: Operation) =>
	(form: Form): Perform =>
	async (request, { send }) =>
		results((await send(request)).body, request, form).map((json) => ({ json }));
