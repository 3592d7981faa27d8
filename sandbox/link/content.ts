import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, datetime } from '../clock.ts';
import { transaction } from '../database.ts';
import { Records } from '../records.ts';
import { newLink } from './links.ts';
import { SOMEBODY, type Subject, VisitCounter } from './visits.ts';

/** Makes what the API cannot make, as its owner does in the web interface; also links and visits in bulk. */
export class LinkContent {
	readonly #database: DatabaseSync;
	readonly #clock: Clock;

	constructor(database: DatabaseSync, clock: Clock) {
		this.#database = database;
		this.#clock = clock;
	}

	/** Makes a CTA overlay, and returns its id. */
	addOverlay(accountId: number, name: string, type: 'message' | 'contact' = 'message'): number {
		const overlays = new Records(this.#database, 'overlays', 'overlay');
		return overlays.add(accountId, { type, name, date: this.#now() });
	}

	/** Makes a splash page, and returns its id. */
	addSplashPage(accountId: number, name: string): number {
		const pages = new Records(this.#database, 'splash_pages', 'splash page');
		return pages.add(accountId, { name, date: this.#now() });
	}

	/** Makes a bio page, and returns its id. */
	addBioPage(accountId: number, title: string): number {
		const pages = new Records(this.#database, 'bio_pages', 'bio page');
		const alias = randomBytes(4).toString('hex');
		return pages.add(accountId, { alias, title, date: this.#now() });
	}

	/** Adds links, one made every `spacingSeconds`, the last one now, as one transaction; 100,000 take some seconds. */
	addLinks(accountId: number, count: number, spacingSeconds = 60): void {
		const links = new Records(this.#database, 'links', 'link');
		const now = this.#clock();
		const code = randomBytes(3).toString('hex');
		const link = newLink('https://www.example.com/', now);
		transaction(this.#database, () => {
			for (let number = 1; number <= count; number += 1) {
				links.add(accountId, {
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
	addVisits(subject: Subject, id: number, count: number, country = SOMEBODY.country): void {
		new VisitCounter(this.#database).count(subject, id, { ...SOMEBODY, country }, count);
	}

	/** Sets the counter of a link to zero, as its owner may. */
	resetClicks(id: number): void {
		new VisitCounter(this.#database).reset(id);
	}

	#now(): string {
		return datetime(this.#clock());
	}
}
