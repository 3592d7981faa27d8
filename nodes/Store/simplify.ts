import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isRecord } from '../shared/values/json';
import type { ReadParameter } from '../shared/values/input';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const ITEM = ['id', 'name', 'category', 'version', 'price', 'currency', 'demo_link'] as const;

const PURCHASE = [
	'valid',
	'reason',
	'purchase_code',
	'stored_code',
	'license_type',
	'price',
	'currency',
	'supported_until',
	'downloaded',
	'date',
	'support_active',
	'support_days_left',
	'item_matches',
] as const;

/** An item, complete or without its texts and pictures. */
export const itemOutput = (item: IDataObject, read: ReadParameter): IDataObject =>
	isSimple(read) ? pick(item, ITEM) : item;

/** A purchase, complete or with only the id and the name of its item. */
export function purchaseOutput(purchase: IDataObject, read: ReadParameter): IDataObject {
	if (!isSimple(read)) return purchase;
	const item = isRecord(purchase.item) ? pick(purchase.item, ['id', 'name']) : null;
	return { ...pick(purchase, PURCHASE), item };
}

const isSimple = (read: ReadParameter): boolean => read('simplify') === true;

const pick = (record: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
