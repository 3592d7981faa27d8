import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { datetime } from '../clock.ts';
import { flag, integer, text, textOrNull, transaction } from '../database.ts';
import type { Row } from '../database.ts';
import { escapeHtml, htmlPage } from '../html.ts';
import { fieldsOf, isRecord, readText } from '../input.ts';
import { isPassword } from '../keys.ts';
import { pathOf, queryOf, sendHtml } from '../service.ts';
import { svgCard } from '../svg.ts';
import { shortUrl, storedMap } from './links.ts';
import { qrPng, qrSvg } from './qrImage.ts';
import type { LinkContext } from './routes.ts';
import { visitCounter } from './visitCounter.ts';
import { languageTargets, locationNames, visitorOf } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/**
 * What visitors see: no key, no rate limit, HTML instead of JSON. `now` gives the service's
 * time in epoch milliseconds.
 */
export function visitRoutes(
	app: FastifyInstance,
	context: LinkContext,
	now: () => number,
): { notFound: PageNotFound } {
	const { database } = context;
	const findLink = database.prepare(
		`SELECT links.*, domains.domain AS domain FROM links
		LEFT JOIN domains ON domains.id = links.domain_id WHERE alias = ?`,
	);
	const findDomain = database.prepare('SELECT * FROM domains WHERE host = ?');
	const findSplash = database.prepare('SELECT name FROM splash_pages WHERE id = ?');
	const findOverlay = database.prepare('SELECT type, name FROM overlays WHERE id = ?');
	const findQrCode = database.prepare('SELECT * FROM qr_codes WHERE code = ?');
	const findBioPage = database.prepare('SELECT * FROM bio_pages WHERE alias = ?');
	const findCampaign = database.prepare('SELECT * FROM campaigns WHERE id = ?');
	const findRotator = database.prepare('SELECT * FROM campaigns WHERE slug = ?');
	const turnRotator = database.prepare(
		'UPDATE campaigns SET rotations = rotations + 1 WHERE id = ?',
	);
	const campaignLinks = database.prepare(
		`SELECT alias, title, (SELECT domain FROM domains WHERE domains.id = links.domain_id) AS domain
		FROM links WHERE campaign_id = ? ORDER BY id`,
	);
	const findCaption = database.prepare(
		`SELECT title AS caption FROM links WHERE alias = ?1
		UNION ALL SELECT title FROM bio_pages WHERE alias = ?1
		UNION ALL SELECT name FROM qr_codes WHERE code = ?1`,
	);
	const counter = visitCounter(database);
	const count: typeof counter = (...visit) => transaction(database, () => counter(...visit));

	const notFound: PageNotFound = (request, reply) => {
		const domain = findDomain.get(request.host);
		const redirect = domain ? text(domain, 'redirect404') : '';
		return redirect
			? reply.redirect(new URL(redirect).href)
			: sendHtml(reply, 404, htmlPage('Page not found', ''));
	};

	const visitLink = (request: Visit, reply: FastifyReply): FastifyReply => {
		const link = findLink.get(request.params.name);
		if (!link) return notFound(request, reply);
		const expiry = textOrNull(link, 'expiry');
		if (expiry !== null && expiry <= datetime(now())) {
			return sendHtml(reply, 410, htmlPage('This link has expired', ''));
		}
		const passwordHash = textOrNull(link, 'password_hash');
		if (passwordHash !== null) {
			const password = readText(fieldsOf(request.body), 'password');
			if (password === undefined)
				return sendHtml(reply, 200, passwordPage('This link is protected'));
			if (!isPassword(password, passwordHash)) {
				return sendHtml(reply, 403, passwordPage('That is not the password'));
			}
		}
		const visitor = visitorOf(request.ip, request.headers);
		count('link', integer(link, 'id'), visitor, now());
		return show(link, destination(link, visitor), reply);
	};

	const show = (link: Row, target: string, reply: FastifyReply): FastifyReply => {
		const [type = 'direct', id] = text(link, 'type').split('-');
		switch (type) {
			case 'frame':
				return sendHtml(reply, 200, framePage(text(link, 'title'), target, ''));
			case 'overlay': {
				const overlay = id ? findOverlay.get(Number(id)) : undefined;
				const notice = overlay
					? `<aside class="${text(overlay, 'type')}">${escapeHtml(text(overlay, 'name'))}</aside>`
					: '';
				return sendHtml(reply, 200, framePage(text(link, 'title'), target, notice));
			}
			case 'splash': {
				const splash = id ? findSplash.get(Number(id)) : undefined;
				const title = splash ? text(splash, 'name') : text(link, 'title');
				return sendHtml(reply, 200, splashPage(title, target));
			}
			default:
				return reply.redirect(target);
		}
	};

	app.get('/', (request, reply) => {
		const domain = findDomain.get(request.host);
		const root = domain ? text(domain, 'redirectroot') : '';
		if (root) return reply.redirect(new URL(root).href);
		return domain
			? notFound(request, reply)
			: sendHtml(reply, 200, htmlPage('Link management sandbox', WELCOME));
	});
	app.get<NamedRoute>('/:name', visitLink);
	app.post<NamedRoute>('/:name', visitLink);

	app.get<NamedRoute>('/r/:name', (request, reply) => {
		const campaign = findRotator.get(request.params.name);
		const links = campaign ? campaignLinks.all(integer(campaign, 'id')) : [];
		const link = campaign && links[integer(campaign, 'rotations') % links.length];
		if (!link) return notFound(request, reply);
		turnRotator.run(integer(campaign, 'id'));
		return reply.redirect(shortUrl(link, context));
	});

	app.get<NamedRoute>('/campaign/:name', (request, reply) => {
		const campaign = findCampaign.get(request.params.name);
		if (!campaign) return notFound(request, reply);
		if (!flag(campaign, 'public')) {
			return sendHtml(reply, 403, htmlPage('This campaign is private', ''));
		}
		const entries = campaignLinks
			.all(integer(campaign, 'id'))
			.map((link) => anchor(shortUrl(link, context), text(link, 'title')));
		const list = `<ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;
		return sendHtml(reply, 200, htmlPage(text(campaign, 'name'), list));
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

	app.get<NamedRoute>('/bio/:name', (request, reply) => {
		const page = findBioPage.get(request.params.name);
		return page
			? sendHtml(reply, 200, htmlPage(text(page, 'title'), ''))
			: notFound(request, reply);
	});

	app.get<NamedRoute>('/preview/:name', (request, reply) => {
		const row = findCaption.get(request.params.name.replace(/\.svg$/, ''));
		return row ? sendSvg(reply, text(row, 'caption')) : notFound(request, reply);
	});
	app.get<NamedRoute>('/avatar/:name', (request, reply) =>
		sendSvg(reply, `Account ${request.params.name.replace(/\.svg$/, '')}`),
	);
	return { notFound };
}

/** Added to a picture, it makes the file too large. */
const FILLER = Buffer.alloc(11 * 1024 * 1024);

/** Answers an unknown address as its domain says. */
type PageNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface NamedRoute {
	Params: { name: string };
}
type Visit = FastifyRequest<NamedRoute>;

const WELCOME = '<p>Every endpoint of the API begins with <code>/api</code>.</p>';

/** Where a visitor is sent: by location, else by device, else by language, else the long URL; with the link's parameters. */
function destination(link: Row, visitor: Visitor): string {
	const target =
		firstTarget(link, 'locations', locationNames(visitor)) ??
		firstTarget(link, 'devices', visitor.devices) ??
		firstTarget(link, 'languages', languageTargets(visitor)) ??
		text(link, 'longurl');
	const url = new URL(target);
	const parameters: unknown = JSON.parse(text(link, 'parameters'));
	for (const pair of Array.isArray(parameters) ? parameters : []) {
		if (isRecord(pair)) {
			url.searchParams.append(readText(pair, 'name') ?? '', readText(pair, 'value') ?? '');
		}
	}
	return url.href;
}

function firstTarget(link: Row, column: string, names: readonly string[]): string | undefined {
	const map = storedMap(link, column);
	const name = names.find((candidate) => Object.hasOwn(map, candidate));
	return name === undefined ? undefined : readText(map, name);
}

const anchor = (url: string, label: string): string =>
	`<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;

const passwordPage = (title: string): string =>
	htmlPage(
		title,
		'<form method="post"><input name="password" type="password"><button>Open</button></form>',
	);

const framePage = (title: string, target: string, notice: string): string =>
	htmlPage(title, `<iframe src="${escapeHtml(target)}"></iframe>${notice}`);

const splashPage = (title: string, target: string): string =>
	htmlPage(title, `<p>${anchor(target, 'Continue')}</p>`);

const sendSvg = (reply: FastifyReply, caption: string): FastifyReply =>
	reply.type('image/svg+xml').send(svgCard(caption));
