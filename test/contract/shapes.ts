import type { Dialect } from '../../sandbox/dialects.ts';
import { extraMembers } from '../../sandbox/dialects.ts';
import type { ServiceName } from '../../sandbox/recorder.ts';
import type { Shape } from './manifest.ts';

const URL_TEXT = /^https?:\/\/[^\s]+$/;
const DATETIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Where an answer departs from its document, as `path: what is wrong`; none when it does not. */
export function departures(
	shape: Shape,
	value: unknown,
	dialect: Dialect,
	service: ServiceName,
	path = '',
): string[] {
	if (typeof shape === 'string') {
		return leavesOf(value, dialect, service)[shape]()
			? []
			: [`${path}: ${JSON.stringify(value)} is no ${shape}`];
	}
	if (isListShape(shape)) {
		if (!Array.isArray(value)) return [`${path}: no array`];
		if (value.length === 0) return [`${path}: seed.ts of the sandbox has no records to check`];
		return value.flatMap((entry: unknown, index) =>
			departures(shape[0], entry, dialect, service, `${path}[${index}]`),
		);
	}
	if (!isObject(value)) return [`${path}: no object`];
	if ([1, '1', true].some((refused) => value.error === refused)) {
		return [`the sandbox refused it: ${String(value.message)}`];
	}
	const expected = Object.keys({ ...shape, ...extraMembers(dialect) });
	const known = expected.map((name) => name.replace('?', ''));
	const invented = Object.keys(value).filter((name) => !known.includes(name));
	return [
		...invented.map((name) => `${path}.${name}: not in test/contract/manifest.ts`),
		...Object.entries(shape).flatMap(([member, memberShape]) => {
			const name = member.replace('?', '');
			if (Object.hasOwn(value, name)) {
				return departures(memberShape, value[name], dialect, service, `${path}.${name}`);
			}
			return member.endsWith('?') ? [] : [`${path}.${name}: missing`];
		}),
	];
}

/** What a leaf may hold. */
export type Leaf = keyof ReturnType<typeof leavesOf>;

/** Which leaves a value can be. */
function leavesOf(value: unknown, dialect: Dialect, service: ServiceName) {
	// Numbers as strings are a habit of the link service.
	const isInteger = (candidate: unknown): boolean =>
		service === 'link' && dialect.types !== 'documented'
			? typeof candidate === 'string' && /^-?\d+$/.test(candidate)
			: Number.isInteger(candidate);
	const hasStrings = dialect.types === 'strings';
	const isMap = (test: (member: unknown) => boolean): boolean =>
		isObject(value) && !(dialect.emptyMaps === 'array' && Object.keys(value).length === 0)
			? Object.values(value).every(test)
			: dialect.emptyMaps === 'array' && isEmptyArray(value);
	const isCount = (member: unknown): boolean => typeof member === 'string' && /^\d+$/.test(member);

	return {
		error: () => value === 0 || value === '0' || value === false,
		integer: () => isInteger(value),
		number: () => (isText(value, /^\d+\.\d\d$/) ? hasStrings : typeof value === 'number'),
		string: () => typeof value === 'string',
		boolean: () => (hasStrings ? value === 0 || value === '1' : typeof value === 'boolean'),
		url: () => isText(value, URL_TEXT),
		'url or false': () => value === false || isText(value, URL_TEXT),
		datetime: () => isText(value, DATETIME),
		'datetime or null': () => value === null || isText(value, DATETIME),
		date: () => isText(value, /^\d{4}-\d{2}-\d{2}$/),
		timestamp: () => isText(value, TIMESTAMP),
		'hex colour': () => isText(value, /^#[0-9a-f]{3,6}$/i),
		version: () => isText(value, /^\d+\.\d+\.\d+$/),
		'next page': () => value === null || isInteger(value),
		'map of urls': () => isMap((member) => isText(member, URL_TEXT)),
		'map of integers': () => isMap(isInteger),
		'map of strings': () => isMap((member) => typeof member === 'string'),
		'top of a QR code': () => isMap(isCount),
		'top of a link': () =>
			dialect.topStatistics === 'integer' ? isInteger(value) : isMap(isCount) || isInteger(value),
		strings: () => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
		urls: () => Array.isArray(value) && value.every((entry) => isText(entry, URL_TEXT)),
	};
}

const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isListShape = (shape: Exclude<Shape, Leaf>): shape is readonly [Shape] =>
	Array.isArray(shape);

const isText = (value: unknown, pattern: RegExp): boolean =>
	typeof value === 'string' && pattern.test(value);
