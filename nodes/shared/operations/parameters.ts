// Evaluates and checks the parameters of a node.

import { type INodeParameters, type INodeProperties, isExpression } from 'n8n-workflow';

import { fieldFailure, quoted } from '../values/failure';
import { isRecord, mapIn } from '../values/json';
import { parseBoolean, isBlank, type GetParameter } from '../values/input';
import { optionsOf } from './panelFields';

/** By name, the fields whose values are checked when they are read; those that are sent are checked then. */
export const checkedFields = (
	fields: readonly INodeProperties[],
): ReadonlyMap<string, INodeProperties> =>
	new Map(fields.filter(({ routing }) => !routing).map((field) => [field.name, field]));

/** Reads a parameter: evaluated once, checked, and null if the node does not have it. @param get evaluates it, or a member of it */
export function parameterGetter(
	parameters: INodeParameters,
	fields: ReadonlyMap<string, INodeProperties>,
	get: GetParameter,
): GetParameter {
	const values = new Map<string, unknown>();
	const evaluated = (name: string): unknown => {
		const held = parameters[name];
		// n8n takes a while to find out that there is nothing to evaluate.
		if (!hasExpression(held)) return held;
		if (!isRecord(held) || '__rl' in held) return get(name);
		// In a whole collection, n8n would turn a date into a text.
		const members = Object.keys(held).map((member) => [member, get(`${name}.${member}`)] as const);
		return Object.fromEntries(members);
	};
	return (name) => {
		// n8n drops parameters that its panel does not show, and throws if one of them is read.
		if (!(name in parameters)) return null;
		if (!values.has(name)) {
			const field = fields.get(name);
			const value = evaluated(name);
			values.set(name, field ? checkedValue(field, value, parameters[name]) : value);
		}
		return values.get(name);
	};
}

const hasExpression = (held: unknown): boolean =>
	typeof held === 'object' && held !== null
		? Object.values(held).some(hasExpression)
		: isExpression(held);

const CHOICES = ['boolean', 'collection', 'options'];

/** The names of the fields that offer choices. They are all read, so that a wrong one is refused before anything is sent. */
export const choicesIn = (fields: ReadonlyMap<string, INodeProperties>): string[] =>
	[...fields.values()].filter(({ type }) => CHOICES.includes(type)).map(({ name }) => name);

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
		return [[name, checkedValue(offIfBlank(added), member, mapIn(held)[name])] as const];
	});
	return Object.fromEntries(members);
}

/** The default of a switch that is added is what it has then. An expression without a value leaves it off. */
const offIfBlank = (field: INodeProperties): INodeProperties =>
	field.type === 'boolean' ? { ...field, default: false } : field;

function choice({ displayName, options = [] }: INodeProperties, value: unknown): unknown {
	const wanted = value ?? '';
	if (options.some((option) => 'value' in option && option.value === wanted)) return wanted;
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const names = values.map((each) => (each === '' ? 'empty' : each)).join(', ');
	throw fieldFailure(displayName, `must be one of ${names}, but is ${quoted(value)}`);
}
