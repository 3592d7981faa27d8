import type { FastifyInstance } from 'fastify';
import QRCode from 'qrcode';
import { Records } from '../records.ts';
import { sendPage } from '../service.ts';
import type { LinkContext } from './routes.ts';
import { countVisits } from './visits.ts';

interface NamedRoute {
	Params: { name: string };
}

/** What visitors see, without a key or a rate limit: a short link leads to its long URL, a QR code is a picture. */
export function addPublicRoutes(app: FastifyInstance, { database }: LinkContext): void {
	const links = new Records(database, 'links', 'link');
	const codes = new Records(database, 'qr_codes', 'QR code');

	app.get<NamedRoute>('/:name', (request, reply) => {
		const link = links.first("record ->> 'alias' = ?", request.params.name);
		if (!link) return sendPage(reply, 404, 'Page not found');
		countVisits(links, Number(link.id));
		return reply.redirect(String(link.longurl));
	});

	// A phone reads the data in the code without the service, so showing the picture counts as a scan.
	app.get<NamedRoute>('/qr/:name', async (request, reply) => {
		const code = codes.first("record ->> 'alias' = ?", request.params.name);
		if (!code) return sendPage(reply, 404, 'Page not found');
		countVisits(codes, Number(code.id));
		return await reply.type('image/png').send(await qrPng(code.data));
	});
}

/** A picture of black squares; of an object it shows the JSON. */
export const qrPng = (data: unknown): Promise<Buffer> =>
	QRCode.toBuffer(typeof data === 'string' ? data : JSON.stringify(data));
