import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DatabaseSync } from 'node:sqlite';
import type { Dialect } from '../dialects.ts';
import { htmlPage } from '../html.ts';
import { type Fields, isRecord } from '../input.ts';
import { Records } from '../records.ts';
import { queryOf, sendHtml } from '../service.ts';
import { mapOf } from './answers.ts';
import { qrPng, qrSvg } from './qrCodes.ts';
import type { LinkContext } from './routes.ts';

/** Clicks of links and scans of QR codes: how they are counted, in the record itself, and what its statistics say. */

export interface Visitor {
	/** The same for the same visitor. */
	name: string;
	country: string;
	referrer: string;
	browser: string;
	os: string;
	/** Empty for none. */
	social: string;
}
const DIMENSIONS = ['name', 'country', 'referrer', 'browser', 'os', 'social'] as const;

/** Whoever visits the sandbox. */
export const SOMEBODY: Visitor = {
	name: 'somebody',
	country: 'Germany',
	referrer: 't.co',
	browser: 'Chrome',
	os: 'Windows',
	social: 'twitter',
};

export type Subject = 'link' | 'qr';

/** Counts visits of a link or a QR code. */
export class VisitCounter {
	readonly #records: Record<Subject, Records>;

	constructor(database: DatabaseSync) {
		this.#records = {
			link: new Records(database, 'links', 'link'),
			qr: new Records(database, 'qr_codes', 'QR code'),
		};
	}

	count(subject: Subject, id: number, visitor: Visitor, times = 1): void {
		const records = this.#records[subject];
		const record = records.first('id = ?', id) ?? {};
		const member = subject === 'link' ? 'clicks' : 'scans';
		const counts = DIMENSIONS.map((dimension) => {
			const known = countsIn(record, dimension);
			const label = visitor[dimension];
			return [dimension, { ...known, [label]: (known[label] ?? 0) + times }];
		});
		records.change(record, {
			[member]: Number(record[member]) + times,
			counts: Object.fromEntries(counts) as Fields,
		});
	}

	/** Sets the counter of a link to zero, as its owner may. */
	reset(id: number): void {
		const links = this.#records.link;
		links.change(links.first('id = ?', id) ?? {}, { clicks: 0, counts: {} });
	}
}

type Counts = Record<string, number>;

function countsIn({ counts }: Fields, dimension: (typeof DIMENSIONS)[number]): Counts {
	const found = isRecord(counts) ? counts[dimension] : undefined;
	return isRecord(found) ? (found as Counts) : {};
}

const SOCIAL_NETWORKS = ['facebook', 'instagram', 'linkedin', 'twitter'];

/** "Statistics (`data`)" of a link or a QR code. @param top how it shows the counts of labels */
export function statisticsOf(
	record: Fields,
	dialect: Dialect,
	top: (counts: Counts) => unknown = (counts) => topOf(counts, dialect),
): Fields {
	const social = countsIn(record, 'social');
	return {
		clicks: record.clicks ?? record.scans,
		uniqueClicks: Object.keys(countsIn(record, 'name')).length,
		topCountries: top(countsIn(record, 'country')),
		topReferrers: top(countsIn(record, 'referrer')),
		topBrowsers: top(countsIn(record, 'browser')),
		topOs: top(countsIn(record, 'os')),
		socialCount: Object.fromEntries(SOCIAL_NETWORKS.map((name) => [name, social[name] ?? 0])),
	};
}

/** "In link details the top* members appear as integers; their shape when there is traffic: not shown." */
export function linkStatisticsOf(record: Fields, dialect: Dialect): Fields {
	return statisticsOf(record, dialect, (counts) => {
		const labels = Object.keys(counts).length;
		return dialect.topStatistics === 'integer' || labels === 0 ? labels : topOf(counts, dialect);
	});
}

/** "each an object from a label to a count given as a string" */
const topOf = (counts: Counts, dialect: Dialect): Fields | [] =>
	mapOf(
		Object.fromEntries(
			Object.entries(counts)
				.sort(([a, first], [b, second]) => second - first || a.localeCompare(b))
				.map(([label, count]) => [label, String(count)]),
		),
		dialect,
	);

interface NamedRoute {
	Params: { name: string };
}

/** Visits need no key and have no rate limit: a short link counts one and leads to its long URL, a QR code is a picture. */
export function visitRoutes(app: FastifyInstance, { database }: LinkContext): void {
	const links = new Records(database, 'links', 'link');
	const codes = new Records(database, 'qr_codes', 'QR code');
	const visits = new VisitCounter(database);

	app.get<NamedRoute>('/:name', (request, reply) => {
		const link = links.first("record ->> 'alias' = ?", request.params.name);
		if (!link) return sendNotFound(reply);
		visits.count('link', Number(link.id), SOMEBODY);
		return reply.redirect(String(link.longurl));
	});

	// A phone reads the data in the code without the service, so showing the picture counts as a scan.
	app.get<NamedRoute>('/qr/:name', async (request, reply) => {
		const code = codes.first("record ->> 'code' = ?", request.params.name);
		if (!code) return sendNotFound(reply);
		const accepted = request.headers.accept ?? '';
		// A program that accepts only pictures, which no browser does, gets the file for storing it: that is no scan.
		if (accepted !== 'image/*') visits.count('qr', Number(code.id), SOMEBODY);
		void reply.header('cache-control', 'no-store');
		const isSvg = queryOf(request).format === 'svg' || /^image\/svg\+xml\b/.test(accepted.trim());
		if (isSvg) return await reply.type('image/svg+xml').send(await qrSvg(code.data));
		return await reply.type('image/png').send(await qrPng(code.data));
	});
}

export const sendNotFound = (reply: FastifyReply): FastifyReply =>
	sendHtml(reply, 404, htmlPage('Page not found'));
