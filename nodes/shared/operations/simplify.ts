// The Simplify option, and what it leaves of a record.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { GetParameter } from '../values/input';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The record with only these members if *Simplify* is on, else all of it. */
export const simplified = (
	record: IDataObject,
	parameter: GetParameter,
	names: readonly string[],
): IDataObject => (parameter('simplify') === true ? onlyMembers(record, names) : record);

export const onlyMembers = (record: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
