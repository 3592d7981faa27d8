import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readId } from '../../../shared/path';
import { itemLocator } from '../../locators';

const show = { resource: 'item', operations: ['get'] };

export const itemGetFields: INodeProperties[] = [
	{ ...itemLocator(show), routing: { send: { type: 'query', property: 'item_id' } } },
];

/** The id stands in the query here, not in the path. */
export function checkedItemQuery(query: IDataObject): IDataObject {
	return { ...query, item_id: readId('itemId', query.item_id) };
}
