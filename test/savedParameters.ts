import { readFileSync, writeFileSync } from 'node:fs';

import type { INodeProperties } from 'n8n-workflow';

import { LinkManagementApi } from '../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../dist/credentials/StoreApi.credentials.js';
import { LinkManagementTrigger } from '../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../dist/nodes/Store/StoreTrigger.node.js';
import { choicesOf, OPERATION_NODES, OPERATIONS } from './operations.ts';

/**
 * What saved workflows and people rely on: the parameters of the nodes with their types, defaults and choices, and when they are
 * shown. n8n saves no parameter that has its default, so another default changes what a saved workflow does. `npm run schemas`
 * writes them all into a file, where a change is seen before it is published.
 */

/** By node, then by operation (of a trigger or a credential: by its name), then by name: `additionalFields.redirectType` */
type SavedParameters = Record<string, Record<string, Parameters>>;

type Parameters = Record<string, object>;

export const FILE = 'test/savedParameters.json';

export const readSavedParameters = (): SavedParameters =>
	JSON.parse(readFileSync(FILE, 'utf8')) as SavedParameters;

/** The parameters that the nodes have now. */
export function presentParameters(): SavedParameters {
	const nodes = Object.entries(OPERATION_NODES).map(([node, { node: type, resources }]) => {
		const { name: saved, properties } = type.description;
		const dropdownOf = (resource: string): INodeProperties[] =>
			properties.filter(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			);
		const operations = OPERATIONS.filter((operation) => operation.node === node);
		return [
			saved,
			Object.fromEntries([
				[saved, parametersIn(properties.slice(0, 1))],
				...resources.map(({ value }) => [value, parametersIn(dropdownOf(value))] as const),
				...operations.map(({ name, fields }) => [name, parametersIn(fields)] as const),
			]),
		] as const;
	});
	const triggers = [new LinkManagementTrigger(), new StoreTrigger()];
	const credentials = [new LinkManagementApi(), new StoreApi()];
	const others = [...triggers.map(({ description }) => description), ...credentials].map(
		({ name, properties }) => [name, { [name]: parametersIn(properties) }] as const,
	);
	return Object.fromEntries([...nodes, ...others]);
}

const parametersIn = (fields: INodeProperties[]): Parameters =>
	Object.fromEntries(fields.flatMap((field) => parametersOf(field)));

function parametersOf(field: INodeProperties, path = ''): Array<[string, object]> {
	if (field.type === 'notice') return [];
	const name = `${path}${field.name}`;
	const inner = (field.options ?? []).flatMap((option) => {
		if ('type' in option) return parametersOf(option, `${name}.`);
		if (!('values' in option)) return [];
		return option.values.flatMap((value) => parametersOf(value, `${name}.${option.name}.`));
	});
	return [[name, savedOf(field)], ...inner];
}

/** With the name of each value of a dropdown, and the modes of a locator. */
function savedOf(field: INodeProperties): object {
	const { required, noDataExpression, typeOptions, displayOptions } = field;
	const values = choicesOf(field).map(({ value, name }) => [String(value), name] as const);
	const modes = (field.modes ?? []).map((mode) => mode.name);
	return {
		type: field.type,
		default: field.default,
		...(values.length > 0 ? { values: Object.fromEntries(values) } : {}),
		...(modes.length > 0 ? { modes } : {}),
		...(required ? { required } : {}),
		...(noDataExpression ? { noDataExpression } : {}),
		...(typeOptions ? { typeOptions } : {}),
		...(displayOptions ? { displayOptions: conditionsIn(displayOptions) } : {}),
	};
}

/** Without resource and operation, under which the field is listed. */
function conditionsIn({ show = {}, hide }: NonNullable<INodeProperties['displayOptions']>) {
	const listed = /^\/?(?:resource|operation)$/;
	const others = Object.entries(show).filter(([name]) => !listed.test(name));
	return { show: Object.fromEntries(others), hide };
}

/** A line for each parameter, whatever their order. */
export const linesOf = (parameters: SavedParameters): string[] =>
	Object.entries(parameters).flatMap(([node, operations]) =>
		Object.entries(operations).flatMap(([operation, named]) =>
			Object.entries(named).map(
				([name, saved]) => `${node}: ${operation} ${name} ${JSON.stringify(saved)}`,
			),
		),
	);

export const writeSavedParameters = (): void =>
	writeFileSync(FILE, `${inLines(presentParameters(), 3)}\n`);

/** So many levels with a line for each member: one for each parameter, so that a difference shows what changed. */
function inLines(value: object, levels: number): string {
	if (levels === 0) return JSON.stringify(value);
	const members = Object.entries(value) as Array<[string, object]>;
	const lines = members.map(
		([name, own]) => `${JSON.stringify(name)}: ${inLines(own, levels - 1)}`,
	);
	return `{\n${lines.join(',\n')}\n}`;
}
