// Texts without what nobody sees, and in one form for comparison.

/**
 * Characters of no width, soft hyphens, byte order marks, direction marks. Joiners and variants belong to emoji and to letters of
 * some languages, so they count as invisible only where a joiner follows a letter or sign of ASCII.
 */
const INVISIBLE =
	/(?!\p{Join_Control}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}|(?<=^|\p{ASCII})\p{Join_Control}+/gu;

/** A text of one line as people see it: without invisible characters, and without the blanks around it. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, '').trim();

const QUOTED = /^["'“”„«»].*["'“”„«»]$/s;
const QUOTES = /^["'“”„«»\s]+|(?<!["'“”„«»\s])["'“”„«»\s]+$/g;

/** The same without the quotes that other programs put around it. */
export function unquoted(text: string): string {
	const visible = visibleText(text);
	const inner = visible.replace(QUOTES, '');
	const isQuoted = QUOTED.test(visible) && !/["“”„«»]/.test(inner);
	return isQuoted ? inner : visible;
}

/**
 * A text in which invisible and control characters are written as signs, such as `\u{200b}`, line breaks as `⏎`, and tabs as `⇥`.
 * A byte order mark says nothing.
 */
export const printable = (text: string): string =>
	text
		.replace(/\ufeff/g, '')
		.replace(/\r\n|[\n\r]/g, '⏎')
		.replace(/\t/g, '⇥')
		.replace(INVISIBLE, signs)
		.replace(/[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]/gu, signs);

const signs = (characters: string): string =>
	Array.from(characters, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`).join('');

/** A text in one Unicode form. For a long one that could take minutes, so it stays as it is. */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
	text.length > 255 ? text : text.normalize(form);

/** A text or a number in lower case and in one Unicode form; empty for anything else. */
export const lowerCase = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number'
		? normalized(String(value)).toLowerCase()
		: '';

/** The characters that services escape for HTML. `&` comes last, so that only an `&` escaped twice is decoded twice. */
const ENTITIES: ReadonlyArray<readonly [RegExp, string]> = [
	[/&(?:quot|#0*34|#x0*22);/gi, '"'],
	[/&(?:apos|#0*39|#x0*27);/gi, "'"],
	[/&(?:lt|#0*60|#x0*3c);/gi, '<'],
	[/&(?:gt|#0*62|#x0*3e);/gi, '>'],
	[/&(?:(?:amp|#0*38|#x0*26);)+/gi, '&'],
];

export const decodeEntities = (text: string): string =>
	ENTITIES.reduce((decoded, [entity, character]) => decoded.replace(entity, character), text);

/** Decodes percent-encoding, so that a name has one spelling: `größe` for `gr%C3%B6%C3%9Fe`. */
export const decoded = (text: string): string =>
	normalized(text.replace(/(?:%[\da-f]{2})+/gi, decodeIfPossible));

/** Whether a value has a text in it, in any case; services list the `köln` of an address as `k%C3%B6ln`. @param wanted in lower case */
export function hasText(value: unknown, wanted: string): boolean {
	const text = lowerCase(value);
	return text.includes(wanted) || decoded(text).toLowerCase().includes(wanted);
}

function decodeIfPossible(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}
