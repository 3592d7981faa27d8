import type { FastifyInstance } from 'fastify';
import QRCode from 'qrcode';
import type { Dialect } from '../dialects.ts';
import type { Tables } from '../records.ts';
import { sendNotFound } from '../service.ts';
import { countVisits } from './visits.ts';

interface NamedRoute {
	Params: { name: string };
}

/** What visitors see, without a key or a rate limit: a short link leads to its long URL, a QR code is a picture. */
export function addPublicRoutes(
	app: FastifyInstance,
	{ links, qrCodes }: Tables,
	{ qrDownloads }: Dialect,
): void {
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
		return qrDownloads === 'yes'
			? await reply.type('image/svg+xml').send(await qrSvg(code.data))
			: await reply.type('image/png').send(await qrPng(code.data));
	});

	if (qrDownloads === 'no') return;
	app.get<NamedRoute>('/qr/:name/download/png/1000', async (request, reply) => {
		const code = qrCodes.first("record ->> 'alias' = ?", request.params.name);
		if (!code) return sendNotFound(reply);
		return await reply.type('image/png').send(await qrPng(code.data));
	});
}

/** A picture of black squares; of an object it shows the JSON. */
export const qrPng = (data: unknown): Promise<Buffer> => QRCode.toBuffer(qrText(data));

const qrSvg = (data: unknown): Promise<string> => QRCode.toString(qrText(data), { type: 'svg' });

const qrText = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
