import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { mapIn } from '../shared/values/json';
import type { ReadParameter } from '../shared/values/path';
import { isOn } from '../shared/values/text';

const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Off where people build workflows, as ever; on for AI models, which read every word. */
export const simplifyFields: readonly INodeProperties[] = [
	{ ...simplifyField, displayOptions: { show: { '@tool': [false] } } },
	{ ...simplifyField, default: true, displayOptions: { show: { '@tool': [true] } } },
];

const ITEM = ['id', 'name', 'category', 'version', 'price', 'currency', 'demo_link'] as const;

const PURCHASE = [
	'valid',
	'purchase_code',
	'license_type',
	'price',
	'currency',
	'supported_until',
	'support_active',
	'support_days_left',
	'item_matches',
] as const;

/** An item as the user wants to see it: as it is, or without its texts and pictures. */
export const shownItem = (item: IDataObject, read: ReadParameter): IDataObject =>
	isSimple(read) ? pick(item, ITEM) : item;

/** The same for a purchase, of whose item only the id and the name are left. */
export const shownPurchase = (purchase: IDataObject, read: ReadParameter): IDataObject =>
	isSimple(read)
		? { ...pick(purchase, PURCHASE), item: pick(mapIn(purchase.item), ['id', 'name']) }
		: purchase;

const isSimple = (read: ReadParameter): boolean => isOn(read('simplify'));

const pick = (record: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
