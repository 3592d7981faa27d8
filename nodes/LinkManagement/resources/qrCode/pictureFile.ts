import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../../../shared/operations/item';
import type { ItemResult } from '../../../shared/operations/steps';
import { idIn } from '../../../shared/values/json';
import { requiredText } from '../../../shared/values/input';
import { fetchPicture } from './fetchPicture';

export const binaryPropertyField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The field of the output item that gets the picture',
};

/** @throws Failure if it is empty */
export const fieldName = (entered: unknown): string =>
	requiredText(binaryPropertyField.displayName, entered);

/** A QR code with its picture. It is at the address in the record, which is not an endpoint of the API, so the key is not sent. */
export async function withPicture(
	code: IDataObject,
	name: string,
	{ web, connection }: Item,
): Promise<ItemResult> {
	const { bytes, extension, mimeType } = await fetchPicture(code.link, connection, web);
	const file = await web.file(bytes, `qr-code-${idIn(code.id) ?? 'new'}.${extension}`, mimeType);
	return { json: code, binary: { [name]: file } };
}
