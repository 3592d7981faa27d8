import type { FastifyInstance } from 'fastify';
import QRCode from 'qrcode';
import type { Dialect } from '../dialects.ts';
import { page, respond } from '../faults.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import type { Records, Tables } from '../records.ts';

/** Clicks of links and scans of QR codes: who visits them, how that is counted in the record, and what its statistics say. */

/** Counts visits. Each country has one visitor, and all of them use the same browser on the same system. */
export function countVisits(records: Records, id: unknown, times = 1, country = 'Germany'): void {
	const { clicks = 0, countries } = records.find(id) ?? {};
	const known = fieldsOf(countries);
	records.change(id, {
		clicks: Number(clicks) + times,
		countries: { ...known, [country]: Number(known[country] ?? 0) + times },
	});
}

/** A map, with an empty one written as the dialect does. */
export const mapOf = (map: Fields, { shapes }: Dialect): Fields | [] =>
	shapes === 'documented' || Object.keys(map).length > 0 ? map : [];

/** "Statistics (`data`)" of a link or a QR code. */
export function statisticsOf(record: Fields, dialect: Dialect, isOfLink = false): Fields {
	const clicks = Number(record.clicks);
	const countries = fieldsOf(record.countries);
	// "each an object from a label to a count given as a string"; "in link details the top* members appear as integers"
	const top = (counts: Fields): unknown => {
		const entries = Object.entries(counts);
		const isInteger = dialect.topStatistics === 'integer' || entries.length === 0;
		if (isOfLink && isInteger) return entries.length;
		const texts = entries.map(([label, count]) => [label, String(count)]);
		return mapOf(Object.fromEntries(texts) as Fields, dialect);
	};
	const all = (label: string): unknown => top(clicks === 0 ? {} : { [label]: clicks });
	const tops = {
		topCountries: top(countries),
		topReferrers: all('t.co'),
		topBrowsers: all('Chrome'),
		topOs: all('Windows'),
	};
	const isWithoutTops = isOfLink && clicks === 0 && dialect.topStatistics === 'absent';
	return {
		clicks,
		uniqueClicks: Object.keys(countries).length,
		...(isWithoutTops ? {} : tops),
		socialCount: { facebook: 0, instagram: 0, linkedin: 0, twitter: clicks },
	};
}

/** What visitors see, without a key or a rate limit: a short link leads to its long URL, a QR code is a picture. */
export function addPublicRoutes(
	app: FastifyInstance,
	{ links, qrCodes }: Tables,
	{ qrDownloads }: Dialect,
): void {
	app.get<{ Params: { name: string } }>('/:name', (request, reply) => {
		const link = links.first("record ->> 'alias' = ?", request.params.name);
		if (!link) return respond(page(404), reply);
		countVisits(links, link.id);
		return reply.redirect(String(link.longurl));
	});

	const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
	const hasFormats = qrDownloads === 'yes';
	const path = hasFormats ? '/qr/:name/download/png/1000' : '/qr/:name';
	app.get<{ Params: { name: string } }>(path, async (request, reply) => {
		const code = qrCodes.first("record ->> 'alias' = ?", request.params.name);
		if (!code) return respond(page(404), reply);
		// A phone reads the data in the code without the service, so showing the picture counts as a scan.
		countVisits(qrCodes, code.id);
		// Of an object it shows the JSON.
		const text = typeof code.data === 'string' ? code.data : JSON.stringify(code.data);
		return await reply.type('image/png').send(await QRCode.toBuffer(text));
	});
	if (hasFormats) app.get('/qr/:name', (_request, reply) => reply.type('image/svg+xml').send(svg));
}
