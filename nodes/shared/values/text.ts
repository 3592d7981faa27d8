// Normalizes texts for comparison.

/** A text in one Unicode form. For a long one that could take minutes, so it stays as it is. */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
	text.length > 255 ? text : text.normalize(form);

/** A text or a number in lower case and in one Unicode form; empty for anything else. */
export const lowerCase = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number'
		? normalized(String(value)).toLowerCase()
		: '';
