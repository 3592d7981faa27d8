import type { Dialect } from '../../sandbox/dialects.ts';
import { extraMembers } from '../../sandbox/dialects.ts';
import type { Leaf, Shape } from './manifest.ts';

const URL_TEXT = /^https?:\/\/[^\s]+$/;
const DATETIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Where an answer departs from its document, as `path: what is wrong`; none when it does not. */
export function departures(shape: Shape, value: unknown, dialect: Dialect, path = ''): string[] {
	if (typeof shape === 'string') {
		return isLeaf(shape, value, dialect)
			? []
			: [`${path}: ${JSON.stringify(value)} is no ${shape}`];
	}
	if (isListShape(shape)) {
		if (!Array.isArray(value)) return [`${path}: no array`];
		if (value.length === 0) return [`${path}: empty, so its records are not checked`];
		return value.flatMap((entry: unknown, index) =>
			departures(shape[0], entry, dialect, `${path}[${index}]`),
		);
	}
	if (!isObject(value)) return [`${path}: no object`];
	const expected = Object.keys({ ...shape, ...extraMembers(dialect) });
	const known = expected.map((name) => name.replace('?', ''));
	const invented = Object.keys(value).filter((name) => !known.includes(name));
	return [
		...invented.map((name) => `${path}.${name}: not in the document`),
		...Object.entries(shape).flatMap(([member, memberShape]) => {
			const name = member.replace('?', '');
			if (Object.hasOwn(value, name)) {
				return departures(memberShape, value[name], dialect, `${path}.${name}`);
			}
			return member.endsWith('?') ? [] : [`${path}.${name}: missing`];
		}),
	];
}

function isLeaf(leaf: Leaf, value: unknown, dialect: Dialect): boolean {
	const isInteger = (candidate: unknown): boolean =>
		dialect.integers === 'string'
			? typeof candidate === 'string' && /^-?\d+$/.test(candidate)
			: Number.isInteger(candidate);
	const isMap = (test: (member: unknown) => boolean): boolean =>
		isObject(value) && !(dialect.emptyMaps === 'array' && Object.keys(value).length === 0)
			? Object.values(value).every(test)
			: dialect.emptyMaps === 'array' && Array.isArray(value) && value.length === 0;
	const isCount = (member: unknown): boolean => typeof member === 'string' && /^\d+$/.test(member);

	switch (leaf) {
		case 'error':
			return [0, '0'].some((zero) => zero === value);
		case 'integer':
			return isInteger(value);
		case 'number':
			return typeof value === 'number';
		case 'string':
			return typeof value === 'string';
		case 'boolean':
			return typeof value === 'boolean';
		case 'url':
			return isText(value, URL_TEXT);
		case 'url or false':
			return value === false || isText(value, URL_TEXT);
		case 'datetime':
			return isText(value, DATETIME);
		case 'datetime or null':
			return value === null || isText(value, DATETIME);
		case 'date':
			return isText(value, /^\d{4}-\d{2}-\d{2}$/);
		case 'timestamp':
			return isText(value, TIMESTAMP);
		case 'hex colour':
			return isText(value, /^#[0-9a-f]{3,6}$/i);
		case 'version':
			return isText(value, /^\d+\.\d+\.\d+$/);
		case 'next page':
			return value === null || isInteger(value);
		case 'map of urls':
			return isMap((member) => isText(member, URL_TEXT));
		case 'map of integers':
			return isMap(isInteger);
		case 'map of strings':
			return isMap((member) => typeof member === 'string');
		case 'top of a QR code':
			return isMap(isCount);
		case 'top of a link':
			switch (dialect.topStatistics) {
				case 'as-documented':
					return value === 0 || isMap(isCount);
				case 'integer':
					return isInteger(value);
				case 'object':
					return isMap(isCount);
				case 'array':
					return (Array.isArray(value) && value.length === 0) || isMap(isCount);
			}
			return false;
		case 'strings':
			return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
		case 'urls':
			return Array.isArray(value) && value.every((entry) => isText(entry, URL_TEXT));
	}
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isListShape = (shape: Exclude<Shape, Leaf>): shape is readonly [Shape] =>
	Array.isArray(shape);

const isText = (value: unknown, pattern: RegExp): boolean =>
	typeof value === 'string' && pattern.test(value);
