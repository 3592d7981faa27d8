// The QR code that is created with a link.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RowContext } from '../../../shared/operations/operation';
import { idIn, mapIn } from '../../../shared/values/json';
import { webAddressIn } from '../../../shared/values/webAddress';
import { membersOf } from '../../writeResults';
import { incomplete } from './writtenLink';

export const createQrCode: INodeProperties = {
	displayName: 'Create QR Code',
	name: 'createQrCode',
	type: 'boolean',
	default: true,
	description: 'Whether to also create a QR code for the short URL of a new link',
};

/** The columns of the link's QR code; null in a row that wants none, or whose link is not new. */
export async function qrCodeOf(link: IDataObject, row: RowContext): Promise<IDataObject> {
	const { createQrCode: isWanted } = mapIn(row.input.parameter('additionalFields'));
	if (isWanted === undefined) return {};
	if (isWanted === false || link.outcome !== 'created') return { qr_code_id: null, qr_code: null };
	const body = { type: 'link', data: link.shorturl };
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
