import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { integer, text, transaction } from '../database.ts';
import { escapeHtml, htmlPage } from '../html.ts';
import { pathOf, queryOf, sendHtml } from '../service.ts';
import { qrPng, qrSvg } from './qrImage.ts';
import type { LinkContext } from './routes.ts';
import { visitCounter } from './visitCounter.ts';
import { visitorOf } from './visitor.ts';

/**
 * Visits, which need no key and have no rate limit: a short link counts one and leads to its long URL, a QR code is a
 * picture. `now` gives the service's time in epoch milliseconds.
 */
export function visitRoutes(
	app: FastifyInstance,
	context: LinkContext,
	now: () => number,
): { notFound: PageNotFound } {
	const { database } = context;
	const findLink = database.prepare('SELECT id, longurl FROM links WHERE alias = ?');
	const campaignTitles = database.prepare(
		`SELECT links.title FROM links JOIN campaigns ON campaigns.id = links.campaign_id
		WHERE campaigns.id = ? AND campaigns.public = 1 ORDER BY links.id`,
	);
	const findQrCode = database.prepare('SELECT * FROM qr_codes WHERE code = ?');
	const counter = visitCounter(database);
	const count: typeof counter = (...visit) => transaction(database, () => counter(...visit));

	const notFound: PageNotFound = (_request, reply) =>
		sendHtml(reply, 404, htmlPage('Page not found', ''));

	app.get('/', (_request, reply) =>
		sendHtml(reply, 200, htmlPage('Link management sandbox', WELCOME)),
	);
	app.get<NamedRoute>('/:name', (request, reply) => {
		const link = findLink.get(request.params.name);
		if (!link) return notFound(request, reply);
		count('link', integer(link, 'id'), visitorOf(request.ip, request.headers), now());
		return reply.redirect(text(link, 'longurl'));
	});

	app.get<NamedRoute>('/campaign/:name', (request, reply) => {
		const titles = campaignTitles.all(request.params.name).map((link) => text(link, 'title'));
		const entries = titles.map((title) => `<li><a>${escapeHtml(title)}</a></li>`).join('');
		return sendHtml(reply, 200, htmlPage('Campaign', `<ul>${entries}</ul>`));
	});

	// A phone reads the data in the code without the service, so showing the picture counts as a scan.
	app.get<NamedRoute>('/qr/:name', async (request, reply) => {
		const code = findQrCode.get(request.params.name);
		if (!code) return notFound(request, reply);
		const accepted = request.headers.accept ?? '';
		// A program that accepts only pictures, which no browser does, gets the file for storing it: that is no scan.
		const isDownload = accepted === 'image/*';
		if (!isDownload)
			count('qr', integer(code, 'id'), visitorOf(request.ip, request.headers), now());
		const content = text(code, 'content');
		const colours = { foreground: text(code, 'foreground'), background: text(code, 'background') };
		void reply.header('cache-control', 'no-store');
		const sendPng = async () => reply.type('image/png').send(await qrPng(content, colours));
		const sendSvg = async () => reply.type('image/svg+xml').send(await qrSvg(content, colours));
		const { format } = queryOf(request);
		if (format === 'png') return await sendPng();
		if (format === 'svg' || /^image\/svg\+xml\b/.test(accepted.trim())) return await sendSvg();
		const address = pathOf(request);
		switch (context.dialect.qrPicture) {
			case 'png':
				return await sendPng();
			case 'svg':
				return await sendSvg();
			case 'redirect':
				return reply.redirect(`${address}?format=png`);
			case 'page':
				return sendHtml(reply, 200, htmlPage('Your QR code', ''));
			case 'mistyped':
				return reply.type('text/plain').send(await qrPng(content, colours));
			case 'fake':
				return reply.type('image/png').send(htmlPage('Your QR code', ''));
			case 'huge':
				return reply.type('image/png').send(Buffer.concat([await qrPng(content, colours), FILLER]));
			case 'missing':
				return notFound(request, reply);
			case 'loop':
				return reply.redirect(address);
		}
	});

	return { notFound };
}

/** Added to a picture, it makes the file too large. */
const FILLER = Buffer.alloc(11 * 1024 * 1024);

/** Answers an unknown address as its domain says. */
type PageNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface NamedRoute {
	Params: { name: string };
}

const WELCOME = '<p>Every endpoint of the API begins with <code>/api</code>.</p>';
