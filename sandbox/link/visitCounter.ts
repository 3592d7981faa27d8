import type { DatabaseSync } from 'node:sqlite';
import { datetime } from '../clock.ts';
import type { Subject } from './statistics.ts';
import type { Visitor } from './visitor.ts';

/** Counts a click of a link or a scan of a QR code, at `now` in epoch milliseconds; to be run in a transaction. */
export function visitCounter(
	database: DatabaseSync,
): (subject: Subject, id: number, visitor: Visitor, now: number) => void {
	const insert = database.prepare(
		`INSERT INTO visits (subject, subject_id, visitor, country, referrer, browser, os, social, date)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const totals = {
		link: database.prepare('UPDATE links SET clicks = clicks + 1 WHERE id = ?'),
		qr: database.prepare('UPDATE qr_codes SET scans = scans + 1 WHERE id = ?'),
	};
	return (subject, id, visitor, now) => {
		const { fingerprint, country, referrer, browser, os, social } = visitor;
		insert.run(subject, id, fingerprint, country, referrer, browser, os, social, datetime(now));
		totals[subject].run(id);
	};
}
