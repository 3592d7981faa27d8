import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../database.ts';
import type { Dialect } from '../dialects.ts';
import type { Fields } from '../input.ts';
import { mapOf } from './answers.ts';

export type Subject = 'link' | 'qr';

/** Who visits, as the statistics count it. */
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

const SOCIAL_NETWORKS = ['facebook', 'instagram', 'linkedin', 'twitter'];
const TOP_LABELS = 10;

/** Counts a click of a link or a scan of a QR code. */
export function visitCounter(
	database: DatabaseSync,
): (subject: Subject, id: number, visitor: Visitor) => void {
	const insert = database.prepare(
		`INSERT INTO visits (subject, subject_id, visitor, country, referrer, browser, os, social)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const totals = {
		link: database.prepare('UPDATE links SET clicks = clicks + 1 WHERE id = ?'),
		qr: database.prepare(
			"UPDATE qr_codes SET record = json_set(record, '$.scans', (record ->> 'scans') + 1) WHERE id = ?",
		),
	};
	return (subject, id, { name, country, referrer, browser, os, social }) => {
		insert.run(subject, id, name, country, referrer, browser, os, social);
		totals[subject].run(id);
	};
}

/** "Statistics (`data`)": of a link and of a QR code, counted from their visits. */
export interface StatisticsReader {
	ofLink(id: number): Fields;
	ofQrCode(id: number): Fields;
}

export function statisticsReader(database: DatabaseSync, dialect: Dialect): StatisticsReader {
	const clicks = database.prepare(
		`SELECT count(*) AS clicks, count(DISTINCT visitor) AS visitors
		FROM visits WHERE subject = ? AND subject_id = ?`,
	);
	const labels = (column: string) =>
		database.prepare(
			`SELECT ${column} AS label, count(*) AS clicks FROM visits
			WHERE subject = ? AND subject_id = ?
			GROUP BY ${column} ORDER BY count(*) DESC, ${column}`,
		);
	const countries = labels('country');
	const referrers = labels('referrer');
	const browsers = labels('browser');
	const systems = labels('os');
	const networks = labels('social');

	const read = (
		subject: Subject,
		id: number,
		shape: (counts: Map<string, number>) => unknown,
	): Fields => {
		const counts = (statement: typeof countries) =>
			new Map(
				statement.all(subject, id).map((row) => [text(row, 'label'), integer(row, 'clicks')]),
			);
		const totals = clicks.get(subject, id) ?? {};
		const social = counts(networks);
		return {
			clicks: integer(totals, 'clicks'),
			uniqueClicks: integer(totals, 'visitors'),
			topCountries: shape(counts(countries)),
			topReferrers: shape(counts(referrers)),
			topBrowsers: shape(counts(browsers)),
			topOs: shape(counts(systems)),
			socialCount: Object.fromEntries(
				SOCIAL_NETWORKS.map((network) => [network, social.get(network) ?? 0]),
			),
		};
	};

	/** "each an object from a label to a count given as a string" */
	const countsAsText = (counts: Map<string, number>): Fields | [] =>
		mapOf(
			Object.fromEntries(
				[...counts].slice(0, TOP_LABELS).map(([label, count]) => [label, String(count)]),
			),
			dialect,
		);

	const linkShape = (counts: Map<string, number>): unknown => {
		switch (dialect.topStatistics) {
			case 'as-documented':
				return counts.size === 0 ? 0 : countsAsText(counts);
			case 'integer':
				return counts.size;
		}
	};

	return {
		ofLink: (id) => read('link', id, linkShape),
		ofQrCode: (id) => read('qr', id, countsAsText),
	};
}
