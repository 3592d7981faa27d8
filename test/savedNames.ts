import { readFileSync, writeFileSync } from 'node:fs';

import type { INodeProperties } from 'n8n-workflow';

import { LinkManagementApi } from '../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../dist/credentials/StoreApi.credentials.js';
import { LinkManagementTrigger } from '../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../dist/nodes/Store/StoreTrigger.node.js';
import { choicesOf, OPERATION_NODES, OPERATIONS } from './operations.ts';

/**
 * The names that saved workflows and credentials hold: of operations, of their parameters, of the values in a dropdown. Once published,
 * none may go. They are kept in a file, which `npm run schemas` only ever adds to.
 */

/** By node and operation (of a trigger or a credential: its name): `additionalFields.redirectType=splash` */
export type SavedNames = Record<string, Record<string, string[]>>;

const FILE = 'test/savedNames.json';

export const readSavedNames = (): SavedNames =>
	JSON.parse(readFileSync(FILE, 'utf8')) as SavedNames;

/** The names that the nodes have now. */
export function presentNames(): SavedNames {
	const names: SavedNames = {};
	for (const node of Object.keys(OPERATION_NODES)) {
		const operations = OPERATIONS.filter((operation) => operation.node === node);
		names[node] = Object.fromEntries(
			operations.map(({ name, fields }) => [name, fields.flatMap((field) => namesOf(field))]),
		);
	}
	const triggers = [new LinkManagementTrigger(), new StoreTrigger()];
	const credentials = [new LinkManagementApi(), new StoreApi()];
	for (const each of [...triggers.map(({ description }) => description), ...credentials]) {
		const { name, properties } = each;
		names[name] = { [name]: properties.flatMap((field) => namesOf(field)) };
	}
	return names;
}

function namesOf(field: INodeProperties, path = ''): string[] {
	if (field.type === 'notice') return [];
	const name = `${path}${field.name}`;
	const modes = (field.modes ?? []).map((mode) => `${name}=${mode.name}`);
	const values = choicesOf(field).map(({ value }) => `${name}=${String(value)}`);
	const inner = (field.options ?? []).flatMap((option) => {
		if ('type' in option) return namesOf(option, `${name}.`);
		if (!('values' in option)) return [];
		return option.values.flatMap((value) => namesOf(value, `${name}.${option.name}.`));
	});
	return [name, ...modes, ...values, ...inner];
}

/** The names in the first that are not in the second, each with its node and operation. */
export function namesMissing(from: SavedNames, inside: SavedNames): string[] {
	return Object.entries(from).flatMap(([node, operations]) =>
		Object.entries(operations).flatMap(([operation, names]) => {
			const known = inside[node]?.[operation];
			if (!known) return [`${node}: ${operation}`];
			return names
				.filter((name) => !known.includes(name))
				.map((name) => `${node}: ${operation} ${name}`);
		}),
	);
}

/** Adds the names that are new, and leaves those that are gone for the tests to find. */
export function addNewNames(): void {
	const saved = readSavedNames();
	const present = presentNames();
	for (const [node, operations] of Object.entries(present)) {
		const known = (saved[node] ??= {});
		for (const [operation, names] of Object.entries(operations)) {
			known[operation] = [...new Set([...(known[operation] ?? []), ...names])].sort();
		}
		saved[node] = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
	}
	writeFileSync(FILE, `${JSON.stringify(saved, null, '\t')}\n`);
}
