// What an operation has while it executes a row (`RowContext`), and how a row is checked before.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Send } from '../http/connection';
import type { NamedList } from '../lists/knownRecords';
import type { RecordIndex } from '../lists/recordIndex';
import { mapIn } from '../values/json';
import type { WriteLog } from './batch';
import type {
	Execute,
	Operation,
	OutputColumns,
	RowContext,
	RowInput,
	RowResult,
} from './operation';
import { mergeIntoRow } from './output';
import { type EnteredRow, fillPath, type OperationFields } from './rowInput';
import type { Claim, Session } from './session';

interface RowOptions {
	/** How messages name the row. */
	label: string;
	/** How many rows of the run come after it. */
	rowsLeft: number;
	/** Goes on when all other rows of the run have been executed. */
	yieldTurn: () => Promise<void>;
}

class Row implements RowContext {
	readonly send: Send;
	readonly list: (list: NamedList) => RecordIndex;
	private readonly ids = new Map<string, number>();

	constructor(
		readonly input: EnteredRow,
		readonly session: Session,
		readonly writes: WriteLog,
		private readonly options: RowOptions,
	) {
		this.send = session.send;
		this.list = session.list;
	}

	get rowsLeft(): number {
		return this.options.rowsLeft;
	}

	readonly yieldTurn = async (): Promise<void> => await this.options.yieldTurn();

	claim(key: string, value = ''): Claim | undefined {
		return this.session.claim(key, { label: this.options.label, value });
	}

	id(name: string): number {
		const id = this.ids.get(name);
		if (id === undefined) throw new RangeError(`${name} was not picked`);
		return id;
	}

	/** Looks up the names that were entered. A write must not hit a namesake, so it reads the list to its end. */
	async lookUp(method: string): Promise<void> {
		for (const [parameter, ref] of this.input.refs) {
			if (typeof ref === 'number') {
				this.ids.set(parameter, ref);
				continue;
			}
			const index = this.list(ref.list);
			const isDeletion = method === 'DELETE';
			// A deletion shifts the pages that are not read yet, so all are read before it.
			const readsAll = isDeletion || (method !== 'GET' && !index.isUnique(ref.name));
			const id = await index.idOf(
				ref.name,
				{ scan: readsAll ? 'all' : 'first', match: isDeletion ? 'exact' : 'ignoreCase' },
				this.rowsLeft + 1,
			);
			this.ids.set(parameter, id);
		}
	}
}

/** Reads and checks every field; sends nothing. @returns what executes the row @throws Failure */
export function checkRow(
	input: EnteredRow,
	{ operation, locators }: OperationFields,
	session: Session,
	options: RowOptions,
): (writes: WriteLog) => Promise<INodeExecutionData[]> {
	const { method, url } = operation.request;
	const draft = input.readRequest();
	if (!draft)
		return async () =>
			await Promise.resolve(itemsOf([{ json: operation.skipped ?? {} }], input, operation));
	const { pathOptions, body, query } = draft;
	const execute = (operation.prepare ?? sendOne(operation))(input);
	return async (writes) => {
		const row = new Row(input, session, writes, options);
		await row.lookUp(method);
		const ids = Object.fromEntries(locators.map((name) => [name, row.id(name)]));
		const path = fillPath(url, { ...ids, ...pathOptions });
		const results = await execute({ method, path, ids, query, body }, row);
		return itemsOf(results, input, operation);
	};
}

const sendOne =
	({ toItems = (body) => [body] }: Operation) =>
	(input: EnteredRow): Execute =>
	async (request, { send }) =>
		toItems((await send(request)).body, request, input).map((json) => ({ json }));

const DEFAULT_OUTPUT: OutputColumns = { first: ['error'], prefix: 'result' };

/** A result, or an error, beside the columns of its row. */
export const besideColumns = (
	row: IDataObject,
	result: IDataObject,
	{ output }: Operation,
): IDataObject => mergeIntoRow(row, result, output ?? DEFAULT_OUTPUT);

/** The items of a row: its results, beside its columns if they are wanted. */
function itemsOf(
	results: RowResult[],
	input: RowInput,
	operation: Operation,
): INodeExecutionData[] {
	const isWithColumns = keepsColumns(input, operation);
	const pairedItem = { item: input.node.getItemIndex() };
	return results.map(({ json, ...file }) => ({
		json: isWithColumns ? besideColumns(input.row, json, operation) : json,
		...file,
		pairedItem,
	}));
}

/** If the operation always does, if fields come from columns, or if *Include Input Fields* is on. */
const keepsColumns = (
	{ columns, parameter, isToolCall }: RowInput,
	operation: Operation,
): boolean =>
	(operation.keepsColumns === true && !isToolCall) ||
	columns !== undefined ||
	mapIn(parameter('options')).includeInputFields === true;
