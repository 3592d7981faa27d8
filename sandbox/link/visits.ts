import type { FastifyInstance, FastifyReply } from 'fastify';
import { integer, recordIn, text } from '../database.ts';
import { htmlPage } from '../html.ts';
import { queryOf, sendHtml } from '../service.ts';
import { qrPng, qrSvg } from './qrCodes.ts';
import type { LinkContext } from './routes.ts';
import { visitCounter, type Visitor } from './statistics.ts';

/** Whoever visits the sandbox. */
export const SOMEBODY: Visitor = {
	name: 'somebody',
	country: 'Germany',
	referrer: 't.co',
	browser: 'Chrome',
	os: 'Windows',
	social: 'twitter',
};

interface NamedRoute {
	Params: { name: string };
}

/** Visits need no key and have no rate limit: a short link counts one and leads to its long URL, a QR code is a picture. */
export function visitRoutes(app: FastifyInstance, { database }: LinkContext): void {
	const findLink = database.prepare('SELECT id, longurl FROM links WHERE alias = ?');
	const titles = database.prepare('SELECT title FROM links WHERE campaign_id = ? ORDER BY id');
	const findQrCode = database.prepare("SELECT * FROM qr_codes WHERE record ->> 'code' = ?");
	const count = visitCounter(database);

	app.get<NamedRoute>('/:name', (request, reply) => {
		const link = findLink.get(request.params.name);
		if (!link) return sendNotFound(reply);
		count('link', integer(link, 'id'), SOMEBODY);
		return reply.redirect(text(link, 'longurl'));
	});

	app.get<NamedRoute>('/campaign/:name', (request, reply) => {
		const links = titles.all(request.params.name).map((link) => text(link, 'title'));
		return reply.type('text/plain').send(links.join('\n'));
	});

	// A phone reads the data in the code without the service, so showing the picture counts as a scan.
	app.get<NamedRoute>('/qr/:name', async (request, reply) => {
		const code = findQrCode.get(request.params.name);
		if (!code) return sendNotFound(reply);
		const accepted = request.headers.accept ?? '';
		// A program that accepts only pictures, which no browser does, gets the file for storing it: that is no scan.
		if (accepted !== 'image/*') count('qr', integer(code, 'id'), SOMEBODY);
		const { data } = recordIn(code, 'record');
		void reply.header('cache-control', 'no-store');
		const isSvg = queryOf(request).format === 'svg' || /^image\/svg\+xml\b/.test(accepted.trim());
		if (isSvg) return await reply.type('image/svg+xml').send(await qrSvg(data));
		return await reply.type('image/png').send(await qrPng(data));
	});
}

export const sendNotFound = (reply: FastifyReply): FastifyReply =>
	sendHtml(reply, 404, htmlPage('Page not found'));
