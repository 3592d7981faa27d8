import type { Shape } from './manifest.ts';

/** Where an answer departs from its document, as `path: what is wrong`; none when it does not. */
export function departures(shape: Shape, value: unknown, path = ''): string[] {
	if (typeof shape === 'string') {
		return LEAVES[shape](value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${shape}`];
	}
	if (isListShape(shape)) {
		if (!Array.isArray(value)) return [`${path}: no array`];
		if (value.length === 0) return [`${path}: seed.ts of the sandbox has no records to check`];
		return value.flatMap((entry: unknown, index) =>
			departures(shape[0], entry, `${path}[${index}]`),
		);
	}
	if (!isObject(value)) return [`${path}: no object`];
	if (value.error === 1) return [`the sandbox refused it: ${String(value.message)}`];
	const known = Object.keys(shape).map((name) => name.replace('?', ''));
	const invented = Object.keys(value).filter((name) => !known.includes(name));
	return [
		...invented.map(
			(name) =>
				`${path}.${name}: no member of it in test/contract/manifest.ts; the sandbox may leave it out`,
		),
		...Object.entries(shape).flatMap(([member, memberShape]) => {
			const name = member.replace('?', '');
			if (Object.hasOwn(value, name)) {
				return departures(memberShape, value[name], `${path}.${name}`);
			}
			return member.endsWith('?') ? [] : [`${path}.${name}: missing`];
		}),
	];
}

/** What a leaf may hold. */
export type Leaf = keyof typeof LEAVES;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isListShape = (shape: Exclude<Shape, Leaf>): shape is readonly [Shape] =>
	Array.isArray(shape);

const isString = (value: unknown): boolean => typeof value === 'string';

const matches =
	(pattern: RegExp) =>
	(value: unknown): boolean =>
		typeof value === 'string' && pattern.test(value);

const isUrl = matches(/^https?:\/\/[^\s]+$/);
const isDatetime = matches(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
const isCount = matches(/^\d+$/);

const isMapOf = (value: unknown, isMember: (member: unknown) => boolean): boolean =>
	isObject(value) && Object.values(value).every(isMember);

const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean): boolean =>
	Array.isArray(value) && value.every(isEntry);

const LEAVES = {
	error: (value: unknown) => value === 0 || value === '0',
	integer: (value: unknown) => Number.isInteger(value),
	number: (value: unknown) => typeof value === 'number',
	string: isString,
	boolean: (value: unknown) => typeof value === 'boolean',
	url: isUrl,
	'url or false': (value: unknown) => value === false || isUrl(value),
	datetime: isDatetime,
	'datetime or null': (value: unknown) => value === null || isDatetime(value),
	date: matches(/^\d{4}-\d{2}-\d{2}$/),
	timestamp: matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
	'hex colour': matches(/^#[0-9a-f]{3,6}$/i),
	version: matches(/^\d+\.\d+\.\d+$/),
	'map of urls': (value: unknown) => isMapOf(value, isUrl),
	'map of integers': (value: unknown) => isMapOf(value, Number.isInteger),
	'map of strings': (value: unknown) => isMapOf(value, isString),
	'top of a QR code': (value: unknown) => isMapOf(value, isCount),
	'top of a link': (value: unknown) => value === 0 || isMapOf(value, isCount),
	strings: (value: unknown) => isListOf(value, isString),
	urls: (value: unknown) => isListOf(value, isUrl),
};
