// The QR code that is created with a link.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RowContext, RowInput } from '../../../shared/operations/operation';
import { isBlank } from '../../../shared/values/input';
import { idIn, mapIn, textIn } from '../../../shared/values/json';
import { webAddressIn } from '../../../shared/values/webAddress';
import { membersOf } from '../../writeResults';
import { COLORS } from '../qrCode/qrCodeFields';
import { linkRunOf } from './linkRun';
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

/** The columns of the link's QR code, if one is to be created. Two rows about one link get one. */
export async function qrCodeOf(link: IDataObject, row: RowContext): Promise<IDataObject> {
	if (!isAdded(row.input)) return {};
	const { qrCodes } = linkRunOf(row.session);
	const key = textIn(link.shorturl) ?? String(idIn(link.id));
	const made = qrCodes.get(key);
	if (made && isBlank(row.input.row.qr_code)) return made;
	if (!isQrCodeWanted(link, row.input)) return keptQrCode(row.input);
	const body = { ...COLORS, type: 'link', data: link.shorturl };
	const code = await row.writes.once('QR code', async () => {
		try {
			return membersOf((await row.send({ method: 'POST', path: '/api/qr/add', body })).body);
		} catch (error) {
			throw incomplete(link, 'without its QR code', error);
		}
	});
	const picture = webAddressIn(code.link, `${row.session.connection.baseUrl}/`);
	const columns = { qr_code_id: idIn(code.id) ?? null, qr_code: picture ?? null };
	qrCodes.set(key, columns);
	return columns;
}

/** What a row without a new QR code keeps: all rows of a sheet have the same columns. */
export const keptQrCode = (input: RowInput): IDataObject =>
	isAdded(input)
		? { qr_code_id: input.row.qr_code_id ?? null, qr_code: input.row.qr_code ?? null }
		: {};

const isAdded = ({ parameters }: RowInput): boolean =>
	mapIn(parameters.additionalFields).createQrCode === true;

/** @param link with its outcome, also that of a dry run */
export function isQrCodeWanted({ outcome, shorturl }: IDataObject, input: RowInput): boolean {
	if (!isAdded(input)) return false;
	if (outcome === 'created' || outcome === 'would be created') return true;
	const { qrCodeForExisting } = mapIn(input.parameters.options);
	const exists = EXISTING.includes(textIn(outcome) ?? '');
	return qrCodeForExisting === true && exists && !isBlank(shorturl) && isBlank(input.row.qr_code);
}

const EXISTING = ['existing', 'unchanged', 'updated', 'would be updated'];
