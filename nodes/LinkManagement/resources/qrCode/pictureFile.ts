import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { READ_TIMEOUT_MS } from '../../../shared/http/request';
import type { Row, RowResult } from '../../../shared/operations/row';
import { cancelSignalOf } from '../../../shared/operations/session';
import { idIn } from '../../../shared/values/json';
import { requiredLine } from '../../../shared/values/input';
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
	requiredLine(binaryPropertyField.displayName, entered);

/** A QR code with its picture. It is at the address in the record, which is not an endpoint of the API, so the key is not sent. */
export async function withPicture(
	code: IDataObject,
	field: string,
	{ form: { node }, session: { connection, client } }: Row,
): Promise<RowResult> {
	const { helpers } = node;
	const { bytes, extension, mimeType } = await fetchPicture(code.link, connection, {
		get: async (request): Promise<unknown> => await helpers.httpRequest({ ...client, ...request }),
		timeoutMs: client.timeout ?? READ_TIMEOUT_MS,
		cancelled: cancelSignalOf(node),
	});
	const name = `qr-code-${idIn(code.id) ?? 'new'}.${extension}`;
	const file = await helpers.prepareBinaryData(bytes, name, mimeType);
	return { json: code, binary: { [field]: file } };
}
