// Texts without what nobody sees, and in one form for comparison.

/**
 * Characters of no width, soft hyphens, byte order marks, direction marks. Joiners and variants belong to emoji and to letters of
 * some languages, so they count as invisible only where a joiner follows a letter or sign of ASCII.
 */
const INVISIBLE =
	/(?!\p{Join_Control}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}|(?<=^|\p{ASCII})\p{Join_Control}+/gu;

/** A text of one line as people see it: without invisible characters, and without the spaces around it. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, '').trim();

/** A text in one Unicode form. For a long one that could take minutes, so it stays as it is. */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
	text.length > 255 ? text : text.normalize(form);

/** A text or a number in lower case and in one Unicode form; empty for anything else. */
export const lowerCase = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number'
		? normalized(String(value)).toLowerCase()
		: '';

/** What services and feeds write for the characters that HTML escapes; `&` last, so that `&amp;lt;` is `&lt;`. */
const ENTITIES = [
	['&quot;', '"'],
	['&#34;', '"'],
	['&#034;', '"'],
	['&#39;', "'"],
	['&#039;', "'"],
	['&lt;', '<'],
	['&gt;', '>'],
	['&#38;', '&'],
	['&#038;', '&'],
	['&amp;', '&'],
] as const;

export const decodeEntities = (text: string): string =>
	ENTITIES.reduce((rest, [entity, sign]) => rest.replaceAll(entity, sign), text);

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
