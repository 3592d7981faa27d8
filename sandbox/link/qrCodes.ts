import { datetime } from '../clock.ts';
import { integer, text } from '../database.ts';
import type { Row } from '../database.ts';
import { Failure } from '../failure.ts';
import { nonEmpty, readText, readWord } from '../input.ts';
import type { Fields } from '../input.ts';
import { randomCode } from '../keys.ts';
import { pageReader } from './pagination.ts';
import { QR_TYPES, checkFits, hexOf, qrText } from './qrImage.ts';
import type { QrType } from './qrImage.ts';
import { idIn, unknownId } from './routes.ts';
import type { LinkContext, LinkRoute } from './routes.ts';
import { statisticsReader } from './statistics.ts';

const CODE_LENGTH = 8;
const BLACK = 'rgb(0,0,0)';
const WHITE = 'rgb(255,255,255)';

/** A new code gets its name from its type, because the body has no name. */
const NAMES: Record<QrType, string> = {
	text: 'Text QR code',
	vcard: 'Contact QR code',
	link: 'Link QR code',
	email: 'Email QR code',
	phone: 'Phone QR code',
	sms: 'Text message QR code',
	wifi: 'Wi-Fi QR code',
};

export function qrCodeRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const statistics = statisticsReader(database, dialect);
	const count = database.prepare('SELECT count(*) AS total FROM qr_codes WHERE account_id = ?');
	const read = pageReader(database, 'SELECT * FROM qr_codes WHERE account_id = ?', ['id']);
	const find = database.prepare('SELECT * FROM qr_codes WHERE account_id = ? AND id = ?');
	const insert = database.prepare(
		`INSERT INTO qr_codes (account_id, code, type, name, content, background, foreground, logo, date)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const update = database.prepare(
		'UPDATE qr_codes SET content = ?, background = ?, foreground = ?, logo = ? WHERE id = ?',
	);
	const remove = database.prepare('DELETE FROM qr_codes WHERE account_id = ? AND id = ?');

	const existing = (accountId: number, id: number): Row => {
		const row = find.get(accountId, id);
		if (!row) throw unknownId('QR code', id);
		return row;
	};
	const record = (row: Row): Fields => ({
		id: integer(row, 'id'),
		link: qrCodeUrl(text(row, 'code'), baseUrl()),
		scans: integer(row, 'scans'),
		name: text(row, 'name'),
		date: text(row, 'date'),
	});

	return [
		{
			method: 'GET',
			path: '/api/qr',
			list: 'qrs',
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) => read([accountId], query).map(record),
		},
		{
			method: 'GET',
			path: '/api/qr/:id',
			answer(call) {
				const row = existing(call.accountId, idIn(call, 'id', 'QR code'));
				return { details: record(row), data: statistics.ofQrCode(integer(row, 'id')) };
			},
		},
		{
			method: 'POST',
			path: '/api/qr/add',
			answer({ accountId, body, now }) {
				const type = readWord(body, 'type', QR_TYPES);
				const code = randomCode(CODE_LENGTH);
				const { lastInsertRowid } = insert.run(
					accountId,
					code,
					type,
					NAMES[type],
					readContent(type, body),
					readColour(body, 'background') ?? WHITE,
					readColour(body, 'foreground') ?? BLACK,
					readLogo(body) ?? '',
					datetime(now),
				);
				return { id: Number(lastInsertRowid), link: qrCodeUrl(code, baseUrl()) };
			},
		},
		{
			method: 'PUT',
			path: '/api/qr/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'QR code');
				const row = existing(call.accountId, id);
				const type = readWord({ type: text(row, 'type') }, 'type', QR_TYPES);
				update.run(
					readContent(type, call.body),
					readColour(call.body, 'background') ?? text(row, 'background'),
					readColour(call.body, 'foreground') ?? text(row, 'foreground'),
					readLogo(call.body) ?? text(row, 'logo'),
					id,
				);
				return { message: 'The QR code has been updated.' };
			},
		},
		{
			method: 'DELETE',
			path: '/api/qr/:id/delete',
			answer(call) {
				const id = idIn(call, 'id', 'QR code');
				if (remove.run(call.accountId, id).changes === 0) throw unknownId('QR code', id);
				return { message: 'The QR code has been deleted.' };
			},
		},
	];
}

export const qrCodeUrl = (code: string, baseUrl: string): string => `${baseUrl}/qr/${code}`;

/** The text in the code. It is made before the code is stored, so a code that cannot be drawn is refused. */
function readContent(type: QrType, body: Fields): string {
	const data = Object.hasOwn(body, 'data') ? body.data : undefined;
	const content = qrText(type, data);
	checkFits(content);
	return content;
}

function readColour(body: Fields, name: string): string | undefined {
	const colour = readText(body, name)?.trim();
	if (colour && !hexOf(colour)) {
		throw new Failure(422, `${name} must be a colour written rgb(r,g,b), each from 0 to 255.`);
	}
	return nonEmpty(colour);
}

function readLogo(body: Fields): string | undefined {
	const logo = readText(body, 'logo')?.trim();
	if (logo && !/\.(png|jpe?g)$/i.test(logo)) {
		throw new Failure(422, 'logo must be the path of a png or jpg image.');
	}
	return logo;
}
