import type { FastifyInstance } from 'fastify';
import QRCode from 'qrcode';
import type { Tables } from '../records.ts';
import { sendNotFound } from '../service.ts';
import { countVisits } from './visits.ts';

interface NamedRoute {
	Params: { name: string };
}

/** What visitors see, without a key or a rate limit: a short link leads to its long URL, a QR code is a picture. */
export function addPublicRoutes(app: FastifyInstance, { links, qrCodes }: Tables): void {
	app.get<NamedRoute>('/:name', (request, reply) => {
		const link = links.first("record ->> 'alias' = ?", request.params.name);
		if (!link) return sendNotFound(reply);
		countVisits(links, link.id);
		return reply.redirect(String(link.longurl));
	});

	// A phone reads the data in the code without the service, so showing the picture counts as a scan.
	app.get<NamedRoute>('/qr/:name', async (request, reply) => {
		const code = qrCodes.first("record ->> 'alias' = ?", request.params.name);
		if (!code) return sendNotFound(reply);
		countVisits(qrCodes, code.id);
		return await reply.type('image/png').send(await qrPng(code.data));
	});
}

/** A picture of black squares; of an object it shows the JSON. */
export const qrPng = (data: unknown): Promise<Buffer> =>
	QRCode.toBuffer(typeof data === 'string' ? data : JSON.stringify(data));
