import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, datetime } from '../clock.ts';
import { type RecordTable, transaction } from '../database.ts';
import type { Fields } from '../input.ts';
import { Records } from '../records.ts';
import { newLink } from './links.ts';
import { countVisits, HOME } from './visits.ts';

/** Makes what the API cannot make, as its owner does in the web interface; also links and visits in bulk. */
export class LinkContent {
	readonly #database: DatabaseSync;
	readonly #clock: Clock;
	readonly #links: Records;
	readonly #qrCodes: Records;

	constructor(database: DatabaseSync, clock: Clock) {
		this.#database = database;
		this.#clock = clock;
		this.#links = new Records(database, 'links', 'link');
		this.#qrCodes = new Records(database, 'qr_codes', 'QR code');
	}

	/** Makes a CTA overlay, and returns its id. */
	addOverlay(accountId: number, name: string, type: 'message' | 'contact' = 'message'): number {
		return this.#add('overlays', accountId, { type, name });
	}

	/** Makes a splash page, and returns its id. */
	addSplashPage(accountId: number, name: string): number {
		return this.#add('splash_pages', accountId, { name });
	}

	/** Makes a bio page, and returns its id. */
	addBioPage(accountId: number, title: string): number {
		return this.#add('bio_pages', accountId, { title, alias: randomBytes(4).toString('hex') });
	}

	/** Adds links, one made every `spacingSeconds`, the last one now, as one transaction; 100,000 take some seconds. */
	addLinks(accountId: number, count: number, spacingSeconds = 60): void {
		const now = this.#clock();
		const code = randomBytes(3).toString('hex');
		const link = newLink('https://www.example.com/', now);
		transaction(this.#database, () => {
			for (let number = 1; number <= count; number += 1) {
				this.#links.add(accountId, {
					...link,
					longurl: `https://www.example.com/articles/${number}`,
					alias: `${code}${number.toString(36)}`,
					title: `Article ${number}`,
					description: number % 3 === 0 ? '' : `What article ${number} is about`,
					date: datetime(now - (count - number) * spacingSeconds * 1000),
				});
			}
		});
	}

	/** Counts that many clicks of a link or scans of a QR code. */
	addVisits(kind: 'link' | 'qr', id: number, count: number, country = HOME): void {
		countVisits(kind === 'link' ? this.#links : this.#qrCodes, id, count, country);
	}

	/** Sets the counter of a link to zero, as its owner may. */
	resetClicks(id: number): void {
		const link = this.#links.first('id = ?', id) ?? {};
		this.#links.change(link, { clicks: 0, countries: {} });
	}

	#add(table: RecordTable, accountId: number, record: Fields): number {
		const records = new Records(this.#database, table, table);
		return records.add(accountId, { ...record, date: datetime(this.#clock()) });
	}
}
