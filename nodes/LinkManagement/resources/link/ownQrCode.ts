import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Item } from '../../../shared/operations/item';
import { Failure } from '../../../shared/values/failure';
import { idIn, mapIn, textIn } from '../../../shared/values/json';
import { webAddressIn } from '../../../shared/values/webAddress';
import { membersOf } from '../../results';
import { incomplete } from './result';

export const createQrCode: INodeProperties = {
	displayName: 'Create QR Code',
	name: 'createQrCode',
	type: 'boolean',
	default: true,
	description:
		'Whether to also create a QR code for the short URL of a new link. The column qr_code holds the address of its picture.',
};

const NO_QR_CODE: Readonly<IDataObject> = { qr_code_id: null, qr_code: null };

/** The columns of the QR code in a row without a result, if the node makes QR codes. */
export const noQrCode = ({ additionalFields }: INodeParameters): Readonly<IDataObject> =>
	'createQrCode' in mapIn(additionalFields) ? NO_QR_CODE : {};

/** The columns of the link's QR code; null in a row that wants none, or whose link is not new. */
export async function qrCodeOf(
	link: IDataObject,
	isNew: boolean,
	item: Item,
): Promise<IDataObject> {
	const { createQrCode: isWanted } = mapIn(item.form.parameter('additionalFields'));
	if (isWanted === undefined) return {};
	if (isWanted === false || !isNew) return { ...NO_QR_CODE };
	const create = async (): Promise<IDataObject> => {
		const data = textIn(link.shorturl);
		if (data === undefined) {
			throw new Failure({ kind: 'unreadable', message: 'the response has no short URL' });
		}
		const body = { type: 'link', data };
		return membersOf((await item.send({ method: 'POST', path: '/api/qr/add', body })).body);
	};
	const code = await item.step('QR code', create).catch((error: unknown) => {
		throw incomplete(link, 'without its QR code', error);
	});
	const picture = webAddressIn(code.link, `${item.connection.baseUrl}/`);
	return { qr_code_id: idIn(code.id) ?? null, qr_code: picture ?? null };
}
