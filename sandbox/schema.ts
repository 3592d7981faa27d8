/**
 * Tables of both services. Ids are never used twice (AUTOINCREMENT), so a later record always has a greater id. Datetimes
 * are texts in UTC, `YYYY-MM-DD HH:MM:SS`.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS api_keys (
	hash TEXT PRIMARY KEY,
	service TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	expires TEXT
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS link_accounts (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	email TEXT NOT NULL UNIQUE COLLATE NOCASE,
	username TEXT NOT NULL UNIQUE,
	password_hash TEXT NOT NULL,
	status TEXT NOT NULL,
	expires TEXT NOT NULL,
	registered TEXT NOT NULL,
	link_count INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS domains (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	domain TEXT NOT NULL,
	host TEXT NOT NULL UNIQUE,
	redirectroot TEXT NOT NULL,
	redirect404 TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS overlays (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	type TEXT NOT NULL,
	name TEXT NOT NULL,
	date TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS splash_pages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	name TEXT NOT NULL,
	date TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS campaigns (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	name TEXT NOT NULL,
	slug TEXT UNIQUE,
	public INTEGER NOT NULL,
	rotations INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS channels (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	name TEXT NOT NULL,
	description TEXT NOT NULL,
	color TEXT NOT NULL,
	starred INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS links (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	alias TEXT NOT NULL,
	longurl TEXT NOT NULL,
	title TEXT NOT NULL,
	description TEXT NOT NULL,
	image TEXT NOT NULL DEFAULT '',
	type TEXT NOT NULL DEFAULT 'direct',
	password_hash TEXT,
	domain_id INTEGER REFERENCES domains ON DELETE SET NULL,
	campaign_id INTEGER REFERENCES campaigns ON DELETE SET NULL,
	expiry TEXT,
	locations TEXT NOT NULL DEFAULT '{}',
	devices TEXT NOT NULL DEFAULT '{}',
	languages TEXT NOT NULL DEFAULT '{}',
	parameters TEXT NOT NULL DEFAULT '[]',
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

CREATE TABLE IF NOT EXISTS bio_pages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	alias TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL,
	date TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS pixels (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	type TEXT NOT NULL,
	name TEXT NOT NULL,
	tag TEXT NOT NULL,
	date TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS qr_codes (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES link_accounts,
	code TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL,
	name TEXT NOT NULL,
	content TEXT NOT NULL,
	background TEXT NOT NULL,
	foreground TEXT NOT NULL,
	logo TEXT NOT NULL,
	scans INTEGER NOT NULL DEFAULT 0,
	date TEXT NOT NULL
);
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

-- One row per click of a link or scan of a QR code. The visitor is a hash, not an address.
CREATE TABLE IF NOT EXISTS visits (
	id INTEGER PRIMARY KEY,
	subject TEXT NOT NULL,
	subject_id INTEGER NOT NULL,
	visitor TEXT NOT NULL,
	country TEXT NOT NULL,
	referrer TEXT NOT NULL,
	browser TEXT NOT NULL,
	os TEXT NOT NULL,
	social TEXT,
	date TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS visits_by_subject ON visits (subject, subject_id);

CREATE TABLE IF NOT EXISTS store_accounts (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	email TEXT NOT NULL UNIQUE COLLATE NOCASE,
	username TEXT NOT NULL UNIQUE,
	firstname TEXT NOT NULL,
	lastname TEXT NOT NULL,
	balance REAL NOT NULL,
	currency TEXT NOT NULL,
	heading TEXT NOT NULL,
	description TEXT NOT NULL,
	social_links TEXT NOT NULL,
	registered_at TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS items (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL REFERENCES store_accounts,
	name TEXT NOT NULL,
	description TEXT NOT NULL,
	category TEXT NOT NULL,
	sub_category TEXT NOT NULL,
	options TEXT NOT NULL,
	version TEXT NOT NULL,
	demo_link TEXT NOT NULL,
	tags TEXT NOT NULL,
	media_kind TEXT NOT NULL,
	screenshots INTEGER NOT NULL,
	price_regular REAL NOT NULL,
	price_extended REAL NOT NULL,
	currency TEXT NOT NULL,
	published_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS items_by_account ON items (account_id, id);

CREATE TABLE IF NOT EXISTS purchases (
	purchase_code TEXT PRIMARY KEY,
	item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
	license_type TEXT NOT NULL,
	price REAL NOT NULL,
	currency TEXT NOT NULL,
	supported_until TEXT,
	downloaded INTEGER NOT NULL,
	date TEXT NOT NULL
) WITHOUT ROWID;
`;
