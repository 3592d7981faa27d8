// Evaluates and checks the parameters of a node.

import { type INodeParameters, type INodeProperties, isExpression } from 'n8n-workflow';

import { fieldFailure, quoted } from '../values/failure';
import { isBlank, parseBoolean, type ParameterValues } from '../values/input';
import { isRecord, mapIn } from '../values/json';
import { optionsOf } from './panelFields';

/** @param get evaluates a parameter, or a member of one @throws Failure if a value is none that its field offers */
export function parametersOf(
	parameters: INodeParameters,
	fields: readonly INodeProperties[],
	get: (path: string) => unknown,
): ParameterValues {
	const values = Object.entries(parameters).map(([name, held]) => {
		const value = evaluated(name, held, get);
		// What is sent is checked where the request is made.
		const field = fields.find((each) => each.name === name && !each.routing);
		return [name, field ? checkedValue(field, value, held) : value] as const;
	});
	return Object.fromEntries(values);
}

function evaluated(name: string, held: unknown, get: (path: string) => unknown): unknown {
	// n8n takes a while to find out that there is nothing to evaluate.
	if (!hasExpression(held)) return held;
	if (!isRecord(held) || '__rl' in held) return get(name);
	// In a whole collection, n8n would turn a date into a text.
	const members = Object.keys(held).map((member) => [member, get(`${name}.${member}`)] as const);
	return Object.fromEntries(members);
}

const hasExpression = (held: unknown): boolean =>
	typeof held === 'object' && held !== null
		? Object.values(held).some(hasExpression)
		: isExpression(held);

/** The value of a field. @param held maybe an expression @throws Failure if the value is none that the field offers */
export function checkedValue(field: INodeProperties, value: unknown, held?: unknown): unknown {
	const { type, displayName } = field;
	if (type === 'boolean')
		return isBlank(value) ? field.default : parseBoolean(displayName, value, held);
	if (type === 'options') return choice(field, value);
	if (type !== 'collection') return value;
	const members = Object.entries(mapIn(value)).flatMap(([name, member]) => {
		const added = optionsOf(field).find((each) => each.name === name && !each.routing);
		if (!added) return [[name, member] as const];
		// What an agent leaves empty counts as not added.
		if (added.type === 'options' && isBlank(member)) return [];
		// A switch that is added has its default then. An expression without a value leaves it off.
		const isOff = added.type === 'boolean' && isBlank(member);
		const checked = isOff ? false : checkedValue(added, member, mapIn(held)[name]);
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
