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

	const pictureRoute = (path: string, type: string, draw: (data: unknown) => unknown): void => {
		app.get<NamedRoute>(path, async (request, reply) => {
			const code = qrCodes.first("record ->> 'alias' = ?", request.params.name);
			if (!code) return sendNotFound(reply);
			// A phone reads the data in the code without the service, so showing the picture counts as a scan.
			countVisits(qrCodes, code.id);
			return await reply.type(type).send(await draw(code.data));
		});
	};
	if (qrDownloads === 'no') {
		pictureRoute('/qr/:name', 'image/png', qrPng);
		return;
	}
	pictureRoute('/qr/:name', 'image/svg+xml', qrSvg);
	pictureRoute('/qr/:name/download/png/1000', 'image/png', qrPng);
}

/** A picture of black squares; of an object it shows the JSON. */
const qrPng = (data: unknown): Promise<Buffer> => QRCode.toBuffer(qrText(data));

const qrSvg = (data: unknown): Promise<string> => QRCode.toString(qrText(data), { type: 'svg' });

const qrText = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
