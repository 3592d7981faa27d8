/** One table each of a link account's records that are stored as JSON. */
export const RECORD_TABLES = [
	'bio_pages',
	'campaigns',
	'channels',
	'domains',
	'overlays',
	'pixels',
	'qr_codes',
	'splash_pages',
] as const;
export type RecordTable = (typeof RECORD_TABLES)[number];

const accountTable = (name: string): string => `
CREATE TABLE IF NOT EXISTS ${name} (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	email TEXT NOT NULL UNIQUE COLLATE NOCASE,
	api_key TEXT NOT NULL UNIQUE,
	is_expired INTEGER NOT NULL DEFAULT 0,
	registered INTEGER NOT NULL,
	link_count INTEGER NOT NULL DEFAULT 0,
	profile TEXT NOT NULL
);`;

const recordTable = (name: string): string => `
CREATE TABLE IF NOT EXISTS ${name} (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	record TEXT NOT NULL
);`;

/**
 * Tables of both services. Ids are never used twice (AUTOINCREMENT), so a later record always has a greater id. Datetimes
 * are texts in UTC, `YYYY-MM-DD HH:MM:SS`.
 */
export const SCHEMA = `
${['link_accounts', 'store_accounts'].map(accountTable).join('\n')}
${RECORD_TABLES.map(recordTable).join('\n')}

CREATE TABLE IF NOT EXISTS links (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	alias TEXT NOT NULL,
	longurl TEXT NOT NULL,
	title TEXT NOT NULL,
	description TEXT NOT NULL,
	domain_id INTEGER REFERENCES domains ON DELETE SET NULL,
	campaign_id INTEGER REFERENCES campaigns ON DELETE SET NULL,
	expiry TEXT,
	locations TEXT NOT NULL DEFAULT '{}',
	devices TEXT NOT NULL DEFAULT '{}',
	clicks INTEGER NOT NULL DEFAULT 0,
	date TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS links_by_alias ON links (alias);
CREATE INDEX IF NOT EXISTS links_by_date ON links (account_id, date, id);
CREATE INDEX IF NOT EXISTS links_by_clicks ON links (account_id, clicks, id);
CREATE INDEX IF NOT EXISTS links_by_domain ON links (domain_id) WHERE domain_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_by_campaign ON links (campaign_id) WHERE campaign_id IS NOT NULL;

-- Counting 100,000 rows for every page would cost more than reading the page.
CREATE TRIGGER IF NOT EXISTS count_added_link AFTER INSERT ON links BEGIN
	UPDATE link_accounts SET link_count = link_count + 1 WHERE id = new.account_id;
END;
CREATE TRIGGER IF NOT EXISTS count_deleted_link AFTER DELETE ON links BEGIN
	UPDATE link_accounts SET link_count = link_count - 1 WHERE id = old.account_id;
	DELETE FROM channel_items WHERE type = 'links' AND item_id = old.id;
	DELETE FROM visits WHERE subject = 'link' AND subject_id = old.id;
END;
CREATE TRIGGER IF NOT EXISTS forget_deleted_qr_code AFTER DELETE ON qr_codes BEGIN
	DELETE FROM channel_items WHERE type = 'qr' AND item_id = old.id;
	DELETE FROM visits WHERE subject = 'qr' AND subject_id = old.id;
END;

CREATE TABLE IF NOT EXISTS channel_items (
	channel_id INTEGER NOT NULL REFERENCES channels ON DELETE CASCADE,
	type TEXT NOT NULL,
	item_id INTEGER NOT NULL,
	PRIMARY KEY (channel_id, type, item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS channel_items_by_item ON channel_items (type, item_id);

-- One row per click of a link or scan of a QR code.
CREATE TABLE IF NOT EXISTS visits (
	id INTEGER PRIMARY KEY,
	subject TEXT NOT NULL,
	subject_id INTEGER NOT NULL,
	visitor TEXT NOT NULL,
	country TEXT NOT NULL,
	referrer TEXT NOT NULL,
	browser TEXT NOT NULL,
	os TEXT NOT NULL,
	social TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS visits_by_subject ON visits (subject, subject_id);

CREATE TABLE IF NOT EXISTS items (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES store_accounts,
	record TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS items_by_account ON items (account_id, id);

CREATE TABLE IF NOT EXISTS purchases (
	purchase_code TEXT PRIMARY KEY,
	item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
	record TEXT NOT NULL
) WITHOUT ROWID;
`;
