// A row of a run: reads and checks what the user entered for it, then is what its operation has while it executes it (`Row`).

import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { ParameterValues } from '../values/input';
import { checkedTimeZone } from '../values/moment';
import type { RowTask, WriteLog } from './batch';
import type { Columns, Execute, Operation, Row } from './operation';
import { itemsOf } from './output';
import { MAPPED } from './panelFields';
import { parametersOf, parseLocator, type RecordRef } from './parameters';
import { type OperationFields, PLACEHOLDER } from './requestFields';
import { type Draft, readRequest } from './rowValues';
import type { Session } from './session';

export class OperationRow implements Row, RowTask {
	readonly parameters: ParameterValues;
	readonly json: IDataObject;
	readonly columns: Columns | undefined;
	readonly shortBase: string;
	readonly send: Row['send'];
	readonly list: Row['list'];
	private readonly refs = new Map<string, RecordRef>();
	private readonly ids = new Map<string, number>();
	readonly checks: Array<() => Promise<void>> = [];
	/** Undefined if there is nothing to do for the row. */
	private readonly draft: Draft | undefined;
	private readonly run: Execute | undefined;

	/** Sends nothing. @throws Failure if a value cannot be sent */
	constructor(
		readonly node: IExecutePaginationFunctions,
		private readonly plan: OperationFields,
		readonly session: Session,
		readonly isToolCall: boolean,
		readonly label: string,
		readonly rowsLeft: number,
		readonly writes: WriteLog,
	) {
		const { operation } = plan;
		this.send = session.send;
		this.list = session.list;
		this.shortBase = session.connection.shortBase;
		this.parameters = parametersOf(node, operation.fields, isToolCall);
		this.json = node.getInputData().json;
		const isMapped = this.parameters.mappingMode === MAPPED;
		this.columns = isMapped ? operation.columns?.(this.json) : undefined;
		for (const locator of plan.locators) this.pick(locator);
		this.draft = readRequest(plan, this);
		const prepare = operation.prepare ?? sendOne(operation);
		this.run = this.draft && prepare(this, this.draft.body);
	}

	readonly zones = (): { from: string; to: string } => ({
		from: this.node.getTimezone(),
		to: checkedTimeZone(this.session.connection.timezone),
	});

	readonly pick = (locator: INodeProperties, held = this.parameters[locator.name]): void => {
		const { [locator.name]: list } = this.plan.lists;
		this.refs.set(locator.name, parseLocator(locator, held, list, this.parameters));
	};

	readonly atEnd = (check: () => Promise<void>): void => void this.checks.push(check);

	readonly id = (name: string): number => {
		const found = this.ids.get(name);
		if (found === undefined) throw new RangeError(`${name} was not picked`);
		return found;
	};

	async execute(): Promise<INodeExecutionData[]> {
		const { draft, run } = this;
		const { operation, locators } = this.plan;
		if (!draft || !run) return itemsOf([{ json: operation.skipped ?? {} }], this, operation);
		const { method, url } = operation.request;
		for (const [name, ref] of this.refs) this.ids.set(name, await this.idOf(ref, method));
		const ids = Object.fromEntries(locators.map(({ name }) => [name, this.id(name)]));
		const path = fillPath(url, { ...this.parameters, ...ids });
		return itemsOf(await run({ method, path, ids, ...draft }), this, operation);
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
	(row: Row): Execute =>
	async (request) =>
		toItems((await row.send(request)).body, request, row).map((json) => ({ json }));

/** Only ids and options stand in a path, so no row can lead to another one. */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
	path.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);
