// Parameters of a node: the type of their reader, their check as ids, their labels, and their place in the path of a request.

import { inputFailure, quoted } from './failure';
import { idIn } from './json';

/** Reads a parameter of the node; null or undefined if there is none. */
export type ReadParameter = (name: string) => unknown;

/**
 * Fills a path such as `/api/url/:linkId/update`. Only ids and options get into it, so no row can lead to another path.
 * @param word the option that a parameter holds; undefined if it holds an id
 */
export function fillPath(
	template: string,
	id: (name: string) => number,
	word: (name: string) => string | undefined,
): { path: string; ids: Record<string, number> } {
	const ids: Record<string, number> = {};
	const path = template.replace(/:([A-Za-z]+)/g, (_placeholder, name: string) => {
		const option = word(name);
		if (option !== undefined) return encodeURIComponent(option);
		ids[name] = id(name);
		return String(ids[name]);
	});
	return { path, ids };
}

export function readId(name: string, value: unknown): number {
	const id = idIn(value);
	if (id !== undefined) return id;
	throw inputFailure(
		`${labelOf(name)} must be a positive whole number, but is ${quoted(value)}`,
		'Pick one from the list, or enter its ID',
	);
}

/** The label of a parameter: `QR Code ID` for `qrCodeId`. */
export const labelOf = (name: string): string =>
	name
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (letter) => letter.toUpperCase())
		.replace(/\b(Cta|Id|Qr|Url)\b/g, (acronym) => acronym.toUpperCase());
