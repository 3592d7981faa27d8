// The QR code that is created with a link.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RowContext, RowInput } from '../../../shared/operations/operation';
import { idIn, mapIn } from '../../../shared/values/json';
import { webAddressIn } from '../../../shared/values/webAddress';
import { membersOf } from '../../writeResults';
import { COLORS } from '../qrCode/content';
import { incomplete } from './writtenLink';

export const createQrCode: INodeProperties = {
	displayName: 'Create QR Code',
	name: 'createQrCode',
	type: 'boolean',
	default: true,
	description: 'Whether to also create a QR code for the short URL of a new link',
};

/** The columns of the QR code of a new link, if one is to be created. */
export async function qrCodeOf(link: IDataObject, row: RowContext): Promise<IDataObject> {
	if (!isAdded(row.input) || link.outcome !== 'created') return keptQrCode(row.input);
	const body = { ...COLORS, type: 'link', data: link.shorturl };
	const code = await row.writes.once('QR code', async () => {
		try {
			return membersOf((await row.send({ method: 'POST', path: '/api/qr/add', body })).body);
		} catch (error) {
			throw incomplete(link, 'without its QR code', error);
		}
	});
	const picture = webAddressIn(code.link, `${row.session.connection.baseUrl}/`);
	return { qr_code_id: idIn(code.id) ?? null, qr_code: picture ?? null };
}

/** What a row without a new QR code keeps: all rows of a sheet have the same columns. */
export const keptQrCode = (input: RowInput): IDataObject =>
	isAdded(input)
		? { qr_code_id: input.row.qr_code_id ?? null, qr_code: input.row.qr_code ?? null }
		: {};

const isAdded = ({ parameters }: RowInput): boolean =>
	mapIn(parameters.additionalFields).createQrCode === true;
