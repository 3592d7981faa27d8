import type { IDataObject } from 'n8n-workflow';

import type { Collection, Fields, Sample } from '../operationSample.ts';
import {
	FIRST_PAGE,
	NONE,
	column,
	deletion,
	fresh,
	idIn,
	idOf,
	invalid,
	isOf,
	listed,
	listing,
	maker,
	named,
	several,
	unknown,
	updated,
	withRecord,
} from '../operationSample.ts';
import type { Stage } from '../support.ts';
import { A_NUMBER, like } from '../support.ts';
import { newLink } from './link.ts';
import { newQrCode } from './qrCode.ts';

const CHANNELS: Collection = {
	what: 'channel',
	locator: 'channelId',
	path: '/api/channel',
	list: '/api/channels',
	make: maker('/api/channel', () => ({ name: named('Channel') })),
	record: ({ id, name, description = '', color = '#000000', starred = false }) => ({
		id,
		name,
		description,
		color,
		starred,
	}),
};

const newBioPage = (stage: Stage): number =>
	stage.sandbox.links.addBioPage(stage.linkAccount.id, 'About us');

const itemOf = (type: string, id: unknown, title: unknown): Fields => ({
	type,
	id,
	title,
	preview: like(/^http.*\/preview\/.*\.svg$/),
	link: like(/^http/),
	date: like(/^\d{4}-\d\d-\d\d$/),
});

const assign = async (stage: Stage, channel: unknown, type: string, item: unknown) =>
	await stage.api(`POST /api/channel/${Number(channel)}/assign/${type}/${Number(item)}`);

/** A channel with a bio page, and with a link and a QR code of the same ID. */
async function mixed(stage: Stage): Promise<IDataObject[]> {
	const { id } = await CHANNELS.make(stage);
	let link = await newLink(stage);
	let code = await newQrCode(stage);
	while (idOf(code) < idOf(link)) code = await newQrCode(stage);
	while (idOf(link) < idOf(code)) link = await newLink(stage);
	const bio = newBioPage(stage);
	await assign(stage, id, 'bio', bio);
	await assign(stage, id, 'links', link.id);
	await assign(stage, id, 'qr', code.id);
	return [{ id, bio, both: link.id }];
}

export const channel: Record<string, Sample> = {
	assignItem: {
		kind: 'write',
		request: 'POST /api/channel/:channelid/assign/:type/:itemid',
		parameters: {
			channelId: idIn('channelid'),
			itemType: column('type'),
			itemId: idIn('itemid'),
		},
		async rows(stage, count) {
			const { id: channelid } = await CHANNELS.make(stage);
			return await several(count, async () => {
				const { id: itemid } = await newLink(stage);
				return { channelid, type: 'links', itemid };
			});
		},
		output: ({ channelid, type, itemid }) => ({
			success: true,
			itemType: type,
			channelId: channelid,
			itemId: itemid,
			message: 'The item has been assigned to the channel.',
		}),
		async written(stage, rows) {
			const [{ channelid } = {}] = rows;
			const isItem = (item: Fields, { itemid }: IDataObject) => idOf(item) === itemid;
			return await listed(`/api/channel/${Number(channelid)}`, isItem)(stage, rows);
		},
		...unknown('channel', { channelid: NONE, type: 'links', itemid: 1 }),
		examples: [
			{
				title: 'adds QR codes and bio pages, too',
				async rows(stage) {
					const { id: channelid } = await CHANNELS.make(stage);
					return [
						{ channelid, type: 'qr', itemid: (await newQrCode(stage)).id },
						{ channelid, type: 'bio', itemid: newBioPage(stage) },
					];
				},
			},
		],
	},
	create: {
		kind: 'write',
		request: 'POST /api/channel/add',
		parameters: { name: column('name'), additionalFields: {} },
		rows: fresh(() => ({ name: named('Channel') })),
		body: ({ name }) => ({ name }),
		output: (row, stage) => ({ ...CHANNELS.record(row, stage), id: A_NUMBER }),
		written: listed(CHANNELS.list, (record, row) => record.name === row.name),
		...invalid('description must not be longer than 65535 characters.', {
			row: { name: 'x' },
			parameters: { additionalFields: { description: 'x'.repeat(65_536) } },
			advice: 'Enter less',
		}),
		examples: [
			{
				title: 'sends every field that was added, its colour as HEX',
				parameters: {
					additionalFields: {
						description: column('description'),
						color: 'rgb(0, 128, 255)',
						starred: column('starred'),
					},
				},
				rows: [
					{ name: 'Mail', description: 'All mails', color: '#0080ff', starred: true },
					{ name: 'Print', description: 'No mails', color: '#0080ff', starred: false },
				],
				body: (row) => row,
			},
		],
	},
	delete: deletion(CHANNELS),
	getAll: listing(CHANNELS),
	getItems: {
		...listing({
			list: '/api/channel/:id',
			make: newLink,
			record: ({ id }) => itemOf('links', id, 'example.com'),
		}),
		parameters: { channelId: idIn('id'), returnAll: true },
		query: FIRST_PAGE,
		async rows(stage, count) {
			const { id } = await CHANNELS.make(stage);
			const records = await several(count, async () => {
				const link = await newLink(stage);
				await assign(stage, id, 'links', link.id);
				return link;
			});
			return [{ id, records }];
		},
		...unknown('channel'),
		examples: [
			{
				title: 'gives a link and a QR code of the same ID both, and a bio page',
				rows: mixed,
				// In an order that the document leaves open.
				output: ['bio', 'links', 'qr'].map(() => expect.any(Object) as Fields),
				then(_stage, items, [{ bio, both } = {}]) {
					const made = [
						itemOf('bio', bio, 'About us'),
						itemOf('links', both, 'example.com'),
						itemOf('qr', both, 'Text QR code'),
					];
					expect(items).toEqual(expect.arrayContaining(made));
				},
			},
		],
	},
	update: {
		kind: 'write',
		request: 'PUT /api/channel/:id/update',
		parameters: { channelId: idIn('id'), updateFields: { name: column('name') } },
		rows: withRecord(CHANNELS.make, () => ({ name: named('Renamed') })),
		body: ({ name }) => ({ name }),
		output: updated('channel'),
		written: listed(CHANNELS.list, (record, row) => isOf(record, row) && record.name === row.name),
		...unknown('channel', { name: 'x' }),
		examples: [
			{
				title: 'sends only the fields that were added, its colour as HEX',
				parameters: { updateFields: { color: '00ff00', starred: true } },
				body: { color: '#00ff00', starred: true },
			},
			{
				title: 'sends what was added empty empty',
				parameters: { updateFields: { description: '', color: '' } },
				body: { description: '', color: '' },
			},
		],
	},
};
