// Evaluates and checks the parameters of a node. A locator holds the id of a record, or a name that is looked up when the row is
// executed.

import { type INode, type INodeProperties, isExpression } from 'n8n-workflow';

import type { NamedList } from '../lists/namedList';
import { fieldFailure, quoted } from '../values/failure';
import {
	isBlank,
	parseBoolean,
	parseId,
	parseRequiredLine,
	type ParameterValues,
	PICK_OR_ENTER_ID,
	withoutNothing,
} from '../values/input';
import { isRecord, mapIn, pickedValue, textIn } from '../values/json';
import { visibleText } from '../values/text';
import { type LookUpList, optionsOf } from './panelFields';

/** What n8n's contexts of rows and of polls have in common. */
interface ParameterContext {
	getNode(): INode;
	getNodeParameter(path: string, fallback: null): unknown;
}

/** @throws Failure if a value is none that its field offers */
export function parametersOf(
	context: ParameterContext,
	fields: readonly INodeProperties[],
	isToolCall = false,
): ParameterValues {
	const values = Object.entries(context.getNode().parameters).map(([name, held]) => {
		const found = evaluated(name, held, context);
		const value = isToolCall && hasExpression(held) ? withoutNothing(found) : found;
		// What is sent is checked where the request is made.
		const field = fields.find((each) => each.name === name && !each.routing);
		return [name, field ? checkedValue(field, value) : value] as const;
	});
	return Object.fromEntries(values);
}

function evaluated(name: string, held: unknown, context: ParameterContext): unknown {
	// n8n takes a while to find out that there is nothing to evaluate.
	if (!hasExpression(held)) return held;
	if (!isRecord(held) || '__rl' in held) return context.getNodeParameter(name, null);
	// In a whole collection, n8n would turn a date into a text.
	const members = Object.keys(held).map(
		(member) => [member, context.getNodeParameter(`${name}.${member}`, null)] as const,
	);
	return Object.fromEntries(members);
}

const hasExpression = (held: unknown): boolean =>
	typeof held === 'object' && held !== null
		? Object.values(held).some(hasExpression)
		: isExpression(held);

/** The value of a field. @throws Failure if the value is none that the field offers */
export function checkedValue(field: INodeProperties, value: unknown): unknown {
	const { type, displayName } = field;
	if (type === 'boolean') return isBlank(value) ? field.default : parseBoolean(displayName, value);
	if (type === 'options') return choice(field, value);
	if (type !== 'collection') return value;
	const members = Object.entries(mapIn(value)).flatMap(([name, member]) => {
		const added = optionsOf(field).find((each) => each.name === name && !each.routing);
		if (!added) return [[name, member] as const];
		// What an agent leaves empty counts as not added.
		if (added.type === 'options' && isBlank(member)) return [];
		// A switch that is added has its default then. An expression without a value leaves it off.
		const isOff = added.type === 'boolean' && isBlank(member);
		const checked = isOff ? false : checkedValue(added, member);
		return [[name, checked] as const];
	});
	return Object.fromEntries(members);
}

function choice({ displayName, options = [] }: INodeProperties, value: unknown): unknown {
	const wanted = value ?? '';
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	if (values.some((each) => each === wanted)) return wanted;
	const names = values.map((each) => (each === '' ? 'empty' : each)).join(', ');
	throw fieldFailure(displayName, `must be one of ${names}, but is ${quoted(value)}`);
}

type LabelledField = Pick<INodeProperties, 'displayName'>;

export type RecordRef = number | { list: NamedList; name: string };

/**
 * The name that a locator holds, if any. n8n sets *By ID* when a column is dragged onto a picker, and an agent writes a name into
 * *From List*, so a text there is a name, too.
 * What begins like a number, `..` or an encoded character is more likely a wrong id. @throws Failure if the name is blank
 */
function nameIn({ displayName }: LabelledField, held: unknown): string | undefined {
	const mode = isRecord(held) ? held.mode : 'id';
	const value = pickedValue(held);
	const isText = /^(?![+-]?[.\d%])./.test(visibleText(textIn(value) ?? ''));
	const isName = mode === 'name' || mode === 'alias' || isText;
	return isName ? parseRequiredLine(displayName, value) : undefined;
}

/** @param held the locator, as n8n stores it @throws Failure if it is neither an id nor a name */
export function parseLocator(
	field: LabelledField,
	held: unknown,
	list: LookUpList | undefined,
	parameters: ParameterValues,
): RecordRef {
	const text = list && nameIn(field, held);
	if (list === undefined || text === undefined)
		return parseId(
			field.displayName,
			pickedValue(held),
			list ? pickOrName(list) : PICK_OR_ENTER_ID,
		);
	return { list: typeof list === 'function' ? list(parameters) : list, name: text };
}

const pickOrName = (list: LookUpList): string =>
	typeof list === 'function'
		? PICK_OR_ENTER_ID
		: `Enter its ID, pick one from the list, or switch the field to '${list.nameMode ?? 'By Name'}'`;
