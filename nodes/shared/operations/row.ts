// A row of a run: reads and checks what the user entered for it, then is what its operation has while it executes it (`Row`).

import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { checkedTimeZone } from '../http/credential';
import { inputFailure } from '../values/failure';
import { isBlank, type ParameterValues } from '../values/input';
import { mapIn, pickedValue } from '../values/json';
import type { RowTask } from './batch';
import type { Columns, Execute, Operation, Row } from './operation';
import { itemsOf } from './output';
import { MAPPED } from './panelFields';
import { parametersOf, parseLocator, type RecordRef } from './parameters';
import { type OperationFields, PLACEHOLDER } from './requestFields';
import { clearedValues, enteredValues, parsedValues, withExtra } from './requestValues';
import type { Session } from './session';

type Given = Pick<Row, 'isToolCall' | 'label' | 'rowsLeft' | 'writes'>;

export class OperationRow implements Row, RowTask {
	readonly parameters: ParameterValues;
	readonly json: IDataObject;
	readonly columns: Columns | undefined;
	readonly shortBase: string;
	readonly send: Row['send'];
	readonly list: Row['list'];
	readonly isToolCall: boolean;
	readonly label: string;
	readonly rowsLeft: number;
	readonly writes: Row['writes'];
	private readonly refs = new Map<string, RecordRef>();
	private readonly ids = new Map<string, number>();
	private readonly checks: Array<() => Promise<void>> = [];
	/** Undefined if there is nothing to do for the row. */
	private readonly draft: { body: IDataObject; query: IDataObject } | undefined;
	private readonly run: Execute | undefined;

	/** Sends nothing. @throws Failure if a value cannot be sent */
	constructor(
		readonly node: IExecutePaginationFunctions,
		private readonly plan: OperationFields,
		readonly session: Session,
		{ isToolCall, label, rowsLeft, writes }: Given,
	) {
		const { operation } = plan;
		this.isToolCall = isToolCall;
		this.label = label;
		this.rowsLeft = rowsLeft;
		this.writes = writes;
		this.send = session.send;
		this.list = session.list;
		this.shortBase = session.connection.shortBase;
		this.parameters = parametersOf(node, operation.fields, isToolCall);
		this.json = node.getInputData().json;
		const isMapped = this.parameters.mappingMode === MAPPED;
		this.columns = isMapped ? operation.columns?.(this.json) : undefined;
		this.draft = this.readRequest();
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

	private readRequest(): { body: IDataObject; query: IDataObject } | undefined {
		const { operation, locators, body, query } = this.plan;
		const { parameters, columns } = this;
		const panel = enteredValues(body, parameters);
		const entered = columns && operation.entered ? operation.entered(panel, columns, this) : panel;
		if (!entered) return undefined;
		for (const locator of locators) this.pick(locator);
		const queried = parsedValues(query, enteredValues(query, parameters), this);
		return { body: this.readBody(entered), query: withExtra(queried, query, operation.ownQuery) };
	}

	private readBody(entered: IDataObject): IDataObject {
		const { operation, body: fields, isUpdate } = this.plan;
		const values = parsedValues(fields, entered, this, operation.check);
		const { clearFields } = mapIn(this.parameters.updateFields);
		const cleared = clearedValues(fields, clearFields, values);
		const composed = operation.body?.(values, this) ?? values;
		const body = { ...withExtra(composed, fields), ...cleared };
		if (!isUpdate || Object.keys(body).length > 0 || this.hasUnsentField()) return body;
		throw inputFailure(
			'There is nothing to update',
			"Add a field with a value under 'Update Fields', or name in 'Clear Fields' what is to be emptied",
		);
	}

	/** Whether *Update Fields* has a value that no body holds, such as a campaign, which is assigned. */
	private hasUnsentField(): boolean {
		const sent = this.plan.body.map(({ field }) => field.name);
		return Object.entries(mapIn(this.parameters.updateFields)).some(
			([name, value]) =>
				name !== 'clearFields' && !sent.includes(name) && !isBlank(pickedValue(value)),
		);
	}

	async execute(): Promise<INodeExecutionData[]> {
		return await this.writes.rows.once(this.label, async () => await this.items());
	}

	async confirm(): Promise<void> {
		for (const check of this.checks) await check();
	}

	private async items(): Promise<INodeExecutionData[]> {
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
