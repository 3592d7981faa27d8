import type { INodeParameters } from 'n8n-workflow';

import { A_NUMBER, DATETIME, byId, inEveryDialect, like, pairs, textOf } from '../support.ts';

interface Content {
	qrType: string;
	fields: INodeParameters;
	data: unknown;
}

/** Each type with the fields of its form, and the data that is sent for them. */
const CONTENTS: Content[] = [
	{ qrType: 'text', fields: { text: 'Table 7' }, data: 'Table 7' },
	{ qrType: 'link', fields: { url: 'https://example.com/a' }, data: 'https://example.com/a' },
	{ qrType: 'phone', fields: { phone: '+49 30 901820' }, data: '+49 30 901820' },
	{
		qrType: 'email',
		fields: { email: 'a@example.com', subject: 'Order', body: '' },
		data: { email: 'a@example.com', subject: 'Order', body: '' },
	},
	{
		qrType: 'sms',
		fields: { phone: '+49 30 901820', message: 'Stop' },
		data: { phone: '+49 30 901820', message: 'Stop' },
	},
	{
		qrType: 'wifi',
		fields: { ssid: 'Guests', encryption: 'WPA', wifiPassword: 'a long sentence' },
		data: { ssid: 'Guests', encryption: 'WPA', pass: 'a long sentence' },
	},
	{
		qrType: 'vcard',
		fields: { vcard: { fname: 'Ada', lname: 'Lovelace', phone: '123', company: 'Example' } },
		data: { fname: 'Ada', lname: 'Lovelace', phone: '123', company: 'Example' },
	},
];

inEveryDialect((stage) => {
	const make = async (text: string) =>
		await stage.make('/api/qr/add', { type: 'text', data: text });
	const address = like(/^http:\/\/127\.0\.0\.1:\d+\/qr\/\w+$/);

	test('create makes one QR code for each row, its colours as the API writes them', async () => {
		const rows = [
			{ text: 'Table 7', front: '#ff9900' },
			{ text: 'Table 8', front: 'rgb(1, 2, 3)' },
		];
		const result = await stage.link(
			'qrCode.create',
			{
				qrType: 'text',
				dataMode: 'fields',
				text: '={{ $json.text }}',
				additionalFields: {
					foreground: '={{ $json.front }}',
					background: '#fff',
					logo: 'https://example.com/logo.png',
				},
			},
			{ rows },
		);
		const ids = result.json.map(({ id }) => id);
		expect(ids).toEqual([expect.any(Number), Number(ids[0]) + 1]);
		expect(result.json).toEqual(ids.map((id) => ({ id, link: address })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		const colors = ['rgb(255,153,0)', 'rgb(1,2,3)'];
		expect(result.requests).toEqual(
			rows.map(({ text }, index) =>
				stage.expected('link', 'POST /api/qr/add', {
					body: {
						type: 'text',
						data: text,
						foreground: colors[index],
						background: 'rgb(255,255,255)',
						logo: 'https://example.com/logo.png',
					},
				}),
			),
		);
	});

	test.each(CONTENTS)(
		'create sends the data of the type $qrType',
		async ({ qrType, fields, data }) => {
			const { json, requests } = await stage.link('qrCode.create', {
				qrType,
				dataMode: 'fields',
				...fields,
				additionalFields: {},
			});
			expect(json).toEqual([{ id: A_NUMBER, link: address }]);
			expect(requests.map(({ body }) => body)).toEqual([{ type: qrType, data }]);
		},
	);

	test.each(CONTENTS)(
		'update sends the data of the type $qrType, and no type',
		async ({ qrType, fields, data }) => {
			const id = await stage.make('/api/qr/add', { type: qrType, data });
			const { json, requests } = await stage.link('qrCode.update', {
				qrCodeId: byId(id),
				qrType,
				dataMode: 'fields',
				...fields,
				updateFields: {},
			});
			expect(json).toEqual([{ success: true, id, message: 'The QR code has been updated.' }]);
			expect(requests).toEqual([
				stage.expected('link', `PUT /api/qr/${id}/update`, { body: { data } }),
			]);
		},
	);

	test.each([
		['a text', '"as it is"', 'as it is'],
		['an object', '{ "phone": "1", "message": "2" }', { phone: '1', message: '2' }],
		['a list', '["a", "b"]', ['a', 'b']],
	])('create sends %s of the JSON field as it was written', async (_what, dataJson, data) => {
		const { requests } = await stage.link('qrCode.create', {
			qrType: 'sms',
			dataMode: 'json',
			dataJson,
			additionalFields: {},
		});
		expect(requests.map(({ body }) => body)).toEqual([{ type: 'sms', data }]);
	});

	test('get gives the details with the statistics beside them', async () => {
		const ids = [await make('One'), await make('Two')];
		const listed = await stage.link('qrCode.getAll', { returnAll: true });
		const scanned = listed.json.find(({ id }) => id === ids[0]);
		const headers = {
			'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
			'CF-IPCountry': 'DE',
			Referer: 'https://www.linkedin.com/feed',
		};
		for (let scan = 0; scan < 2; scan += 1) await fetch(textOf(scanned?.link), { headers });

		const result = await stage.link(
			'qrCode.get',
			{ qrCodeId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		const details = { link: address, name: 'Text QR code', date: DATETIME };
		const noNetwork = { facebook: 0, instagram: 0, linkedin: 0, twitter: 0 };
		expect(result.json).toEqual([
			{
				...details,
				id: ids[0],
				scans: 2,
				statistics: {
					clicks: 2,
					uniqueClicks: 1,
					topCountries: { Germany: '2' },
					topReferrers: { 'linkedin.com': '2' },
					topBrowsers: { Firefox: '2' },
					topOs: { Linux: '2' },
					socialCount: { ...noNetwork, linkedin: 2 },
				},
			},
			{
				...details,
				id: ids[1],
				scans: 0,
				statistics: {
					clicks: 0,
					uniqueClicks: 0,
					topCountries: {},
					topReferrers: {},
					topBrowsers: {},
					topOs: {},
					socialCount: noNetwork,
				},
			},
		]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			expect.arrayContaining(ids.map((id) => stage.expected('link', `GET /api/qr/${id}`))),
		);
		expect(result.requests).toHaveLength(2);
	});

	test('getAll lists the QR codes for each row', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link('qrCode.getAll', { returnAll: true }, { rows: [{}, {}] });
		const all = ids.map((id) => ({
			id,
			link: address,
			scans: 0,
			name: 'Text QR code',
			date: DATETIME,
		}));
		if (stage.dialect.listOrder === 'desc') all.reverse();
		expect(result.json).toEqual([...all, ...all]);
		expect(pairs(result)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		const request = stage.expected('link', 'GET /api/qr', { query: { limit: '100', page: '1' } });
		expect(result.requests).toEqual([request, request]);
	});

	test('update sends only the looks that were added, and sends an added empty one empty', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link(
			'qrCode.update',
			{
				qrCodeId: byId('={{ $json.id }}'),
				qrType: 'text',
				dataMode: 'fields',
				text: '={{ $json.text }}',
				updateFields: { background: '={{ $json.back }}', logo: '' },
			},
			{
				rows: [
					{ id: ids[0], text: 'New one', back: '#000000' },
					{ id: ids[1], text: 'New two', back: '' },
				],
			},
		);
		const message = 'The QR code has been updated.';
		expect(result.json).toEqual(ids.map((id) => ({ success: true, id, message })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual([
			stage.expected('link', `PUT /api/qr/${String(ids[0])}/update`, {
				body: { data: 'New one', background: 'rgb(0,0,0)', logo: '' },
			}),
			stage.expected('link', `PUT /api/qr/${String(ids[1])}/update`, {
				body: { data: 'New two', background: '', logo: '' },
			}),
		]);
	});

	test('delete removes the QR code of each row', async () => {
		const ids = [await make('One'), await make('Two')];
		const result = await stage.link(
			'qrCode.delete',
			{ qrCodeId: byId('={{ $json.id }}') },
			{ rows: ids.map((id) => ({ id })) },
		);
		expect(result.json).toEqual(ids.map((id) => ({ deleted: true, id })));
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			ids.map((id) => stage.expected('link', `DELETE /api/qr/${id}/delete`)),
		);
		expect((await stage.link('qrCode.getAll', { returnAll: true })).json).toEqual([]);
	});
});
