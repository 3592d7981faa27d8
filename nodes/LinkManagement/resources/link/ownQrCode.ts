// The QR code that is created with a link.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isBlank } from '../../../shared/values/input';
import { idIn, mapIn } from '../../../shared/values/json';
import { webAddressIn } from '../../../shared/values/webAddress';
import { membersOf } from '../../writeResults';
import { COLORS } from '../qrCode/content';
import { type LinkRow, write } from './linkRow';
import { incomplete } from './writtenLink';

export const createQrCode: INodeProperties = {
	displayName: 'Create QR Code',
	name: 'createQrCode',
	type: 'boolean',
	default: true,
	description:
		'Whether to also create a QR code for the short URL of a new link, or of one whose row has an empty column qr_code',
};

/** The columns of the QR code of a link, if it gets one. A row without the column gets no second code in the next run. */
export async function qrCodeOf(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const { parameters, json: columns } = row;
	if (mapIn(parameters.additionalFields).createQrCode !== true) return {};
	const { qrCodes } = row.run;
	const made = qrCodes.get(link.shorturl);
	if (made) return made;
	const isAsked = 'qr_code' in columns && isBlank(columns.qr_code);
	if (link.outcome !== 'created' && !isAsked) return {};
	const code = await makeQrCode(link, row);
	qrCodes.set(link.shorturl ?? row.label, code);
	return code;
}

async function makeQrCode(link: IDataObject, row: LinkRow): Promise<IDataObject> {
	const body = { ...COLORS, type: 'link', data: link.shorturl };
	row.notes.push('A QR code would be created');
	const code = await write(row, 'QR code', {}, async () => {
		try {
			return membersOf((await row.send({ method: 'POST', path: '/api/qr/add', body })).body);
		} catch (error) {
			throw incomplete(link, 'without its QR code', error);
		}
	});
	const picture = webAddressIn(code.link, `${row.session.connection.baseUrl}/`);
	return { qr_code_id: idIn(code.id) ?? null, qr_code: picture ?? null };
}
