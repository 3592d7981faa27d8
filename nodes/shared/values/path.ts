import { inputFailure } from './failure';
import { idIn } from './json';

/** Reads a parameter of the node by its name; null or undefined if there is none. */
export type ReadParameter = (name: string) => unknown;

/** For placeholders of a path that are no ids: the values that are allowed, by the name of the parameter. */
export type AllowedValues = Readonly<Record<string, readonly string[]>>;

/**
 * Fills a path such as `/api/url/:linkId/update` from the parameters of those names. Only positive whole numbers and
 * allowed values get into it, so nothing that a user or a sheet holds can lead to another path.
 * @returns the path, and the ids in it by the name of their parameter
 * @throws Failure that names the parameter and the value
 */
export function fillPath(
	template: string,
	read: ReadParameter,
	allowedValues: AllowedValues = {},
	id = (name: string): number => readId(name, read(name)),
): { path: string; ids: Record<string, number> } {
	const ids: Record<string, number> = {};
	const path = template.replace(/:([A-Za-z]+)/g, (_placeholder, name: string) => {
		const allowed = allowedValues[name];
		if (allowed) return readWord(name, read(name), allowed);
		ids[name] = id(name);
		return String(ids[name]);
	});
	return { path, ids };
}

/**
 * The id in a parameter.
 * @throws Failure that names the parameter and the value
 */
export function readId(name: string, value: unknown): number {
	const id = idIn(value);
	if (id === undefined) {
		throw inputFailure(
			`${labelOf(name)} must be a positive whole number, but is ${quoted(value)}`,
			'Pick one from the list, or give its id as a number',
		);
	}
	return id;
}

function readWord(name: string, value: unknown, allowed: readonly string[]): string {
	if (typeof value === 'string' && allowed.includes(value)) return encodeURIComponent(value);
	throw inputFailure(
		`${labelOf(name)} must be one of ${allowed.join(', ')}, but is ${quoted(value)}`,
	);
}

/** The label of a parameter: `QR Code ID` for `qrCodeId`. */
export function labelOf(name: string): string {
	return name
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (letter) => letter.toUpperCase())
		.replace(/\b(Cta|Id|Qr|Url)\b/g, (acronym) => acronym.toUpperCase());
}

/** A value for a message: in quotes, and cut if it is long. */
export function quoted(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'empty';
	const text = typeof value === 'string' ? value : jsonOf(value);
	return `"${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`;
}

/** Expressions can give values that JSON has not. In a list, a function becomes null instead of undefined. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify([value]).slice(1, -1);
	} catch {
		return typeof value;
	}
}
