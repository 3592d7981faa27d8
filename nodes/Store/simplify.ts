import type { IDataObject } from 'n8n-workflow';

import { simplified } from '../shared/operations/fields';
import { isRecord } from '../shared/values/json';
import type { GetParameter } from '../shared/values/input';

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
export const itemOutput = (item: IDataObject, parameter: GetParameter): IDataObject =>
	simplified(item, parameter, ITEM);

/** A purchase, complete or with only the id and the name of its item. */
export function purchaseOutput(
	{ item, ...purchase }: IDataObject,
	parameter: GetParameter,
): IDataObject {
	const itemMembers = isRecord(item) ? simplified(item, parameter, ['id', 'name']) : null;
	return { ...simplified(purchase, parameter, PURCHASE), item: itemMembers };
}
