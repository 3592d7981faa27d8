// The QR code that is created with a link.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RowContext, RowInput } from '../../../shared/operations/operation';
import { isBlank } from '../../../shared/values/input';
import { idIn, mapIn, textIn } from '../../../shared/values/json';
import { webAddressIn } from '../../../shared/values/webAddress';
import { membersOf } from '../../writeResults';
import { COLORS } from '../qrCode/qrCodeFields';
import { incomplete } from './writtenLink';

export const createQrCode: INodeProperties = {
	displayName: 'Create QR Code',
	name: 'createQrCode',
	type: 'boolean',
	default: true,
	description: 'Whether to also create a QR code for the short URL of a new link',
};

export const qrCodeForExistingOption: INodeProperties = {
	displayName: 'QR Codes for Existing Links',
	name: 'qrCodeForExisting',
	type: 'boolean',
	default: true,
	description:
		'Whether Create QR Code also creates one for a link that exists, unless the row has the QR code of an earlier run',
};

/** The columns of the link's QR code, if one is to be created. */
export async function qrCodeOf(link: IDataObject, row: RowContext): Promise<IDataObject> {
	const { parameters, row: columns } = row.input;
	if (mapIn(parameters.additionalFields).createQrCode !== true) return {};
	// A row without a new one keeps what it has: all rows of a sheet have the same columns.
	if (!isWanted(link, row.input))
		return { qr_code_id: columns.qr_code_id ?? null, qr_code: columns.qr_code ?? null };
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

function isWanted({ outcome, shorturl }: IDataObject, { parameters, row }: RowInput): boolean {
	if (outcome === 'created') return true;
	const { qrCodeForExisting } = mapIn(parameters.options);
	const exists = ['existing', 'unchanged', 'updated'].includes(textIn(outcome) ?? '');
	return qrCodeForExisting === true && exists && !isBlank(shorturl) && isBlank(row.qr_code);
}
