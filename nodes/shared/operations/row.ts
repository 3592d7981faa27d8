// A row of input. `prepareRow` reads and checks its form; a `Row` is what an operation has at the row's turn.

import type { INodeExecutionData } from 'n8n-workflow';

import type { Send } from '../http/connection';
import type { NamedList, RecordIndex } from '../lists/recordIndex';
import { fillPath, type Form, type FormPlan } from './form';
import type { OperationData, Perform, Plan } from './operation';
import type { Memory } from './run';
import type { AboutRow, Session } from './session';

export type RowResult = Pick<INodeExecutionData, 'json' | 'binary'>;

export class Row {
	/** For reads, and for an operation's only write; others are sent in `memory.once`. */
	readonly send: Send;
	/** A list, to look into, and to note in it what a run changes. */
	readonly list: (list: NamedList) => RecordIndex;
	private readonly ids = new Map<string, number>();

	constructor(
		readonly form: Form,
		readonly session: Session,
		/** How messages name it. */
		private readonly place: string,
		/** Its writes, which *Retry On Fail* does not repeat. */
		readonly memory: Memory,
	) {
		this.send = session.send;
		this.list = session.list;
	}

	/** The first row of the run that is about the same, if an earlier one is. */
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
	{ plan, locators, request: { method, url } }: FormPlan & Pick<OperationData, 'request'>,
	session: Session,
	place: string,
): (memory: Memory) => Promise<RowResult[]> {
	const draft = form.draft();
	if (!draft) return async () => await Promise.resolve([{ json: plan.skipped ?? {} }]);
	const { words, body, query } = draft;
	const perform = (plan.prepare ?? sendOne(plan))(form);
	return async (memory) => {
		const row = new Row(form, session, place, memory);
		await row.lookUp(method);
		const ids = Object.fromEntries(locators.map((name) => [name, row.id(name)]));
		const path = fillPath(url, { ...ids, ...words });
		return await perform({ method, path, ids, query, body }, row);
	};
}

const sendOne =
	({ results = (body) => [body] }: Plan) =>
	(form: Form): Perform =>
	async (request, { send }) =>
		results((await send(request)).body, request, form).map((json) => ({ json }));
