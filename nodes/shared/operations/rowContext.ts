// A row of a run: what its operation has while it executes the row (`RowContext`).

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Send } from '../http/service';
import type { RowTask } from './batch';
import type { Execute, Operation, RowContext } from './operation';
import { itemsOf } from './output';
import type { RecordRef } from './parameters';
import { type OperationFields, PLACEHOLDER } from './requestFields';
import type { EnteredRow } from './rowInput';
import type { Session } from './session';

export class OperationRow implements RowContext, RowTask {
	readonly send: Send;
	readonly list: RowContext['list'];
	readonly label: string;
	readonly rowsLeft: number;
	readonly writes: RowContext['writes'];
	private readonly draft: { body: IDataObject; query: IDataObject } | undefined;
	private readonly run: Execute | undefined;
	private readonly ids = new Map<string, number>();
	private readonly checks: Array<() => Promise<void>> = [];

	/** Reads and checks every field; sends nothing. @throws Failure */
	constructor(
		readonly input: EnteredRow,
		private readonly plan: OperationFields,
		readonly session: Session,
		{ label, rowsLeft, writes }: Pick<RowContext, 'label' | 'rowsLeft' | 'writes'>,
	) {
		const { operation } = plan;
		this.send = session.send;
		this.list = session.list;
		this.label = label;
		this.rowsLeft = rowsLeft;
		this.writes = writes;
		this.draft = input.readRequest();
		const prepare = operation.prepare ?? sendOne(operation);
		this.run = this.draft && prepare(input, { ...this.draft, session, label });
	}

	readonly atEnd = (check: () => Promise<void>): void => void this.checks.push(check);

	readonly id = (name: string): number => {
		const found = this.ids.get(name);
		if (found === undefined) throw new RangeError(`${name} was not picked`);
		return found;
	};

	async execute(): Promise<INodeExecutionData[]> {
		return await this.writes.rows.once(this.label, async () => await this.items());
	}

	async confirm(): Promise<void> {
		for (const check of this.checks) await check();
	}

	private async items(): Promise<INodeExecutionData[]> {
		const { input, draft, run } = this;
		const { operation, locators } = this.plan;
		if (!draft || !run) return itemsOf([{ json: operation.skipped ?? {} }], input, operation);
		const { method, url } = operation.request;
		for (const [name, ref] of input.refs) this.ids.set(name, await this.idOf(ref, method));
		const ids = Object.fromEntries(locators.map(({ name }) => [name, this.id(name)]));
		const path = fillPath(url, { ...input.parameters, ...ids });
		return itemsOf(await run({ method, path, ids, ...draft }, this), input, operation);
	}

	private async idOf(ref: RecordRef, method: string): Promise<number> {
		if (typeof ref === 'number') return ref;
		const index = this.list(ref.list);
		// A write must not hit a namesake, and a deletion shifts the pages behind it: both read the list to its end.
		const isOne = method === 'GET' || index.isUnique(ref.name);
		const scan = method === 'DELETE' ? 'exact' : isOne ? 'first' : 'all';
		return await index.idOf(ref.name, scan, this.rowsLeft);
	}
}

const sendOne =
	({ toItems = (body) => [body] }: Operation) =>
	(input: EnteredRow): Execute =>
	async (request, { send }) =>
		toItems((await send(request)).body, request, input).map((json) => ({ json }));

/** Only ids and options stand in a path, so no row can lead to another one. */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
	path.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);
