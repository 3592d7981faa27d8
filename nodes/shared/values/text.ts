import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { inputFailure } from './failure';
import { quoted } from './path';

/** A web address as the user wrote it. Failure: not http(s). An empty one is kept: it clears a field. */
export function webAddress(label: string, value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === '') return '';
	if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		throw inputFailure(
			`${label} must be a web address, but is ${quoted(value)}`,
			'Write it with http:// or https:// in front',
		);
	}
	return text;
}

/** A web address that has to be there. */
export function requiredWebAddress(label: string, value: unknown): string {
	const address = webAddress(label, value ?? '');
	if (address === '') throw inputFailure(`${label} is empty`, 'Enter a web address');
	return address;
}

/** A text that has to be there, without the blanks around it. Numbers, as sheets give them, are texts too. */
export function requiredText(label: string, value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || text.trim() === '') {
		throw inputFailure(`${label} is empty`, 'Enter a value, or check the expression that gives it');
	}
	return text.trim();
}

/** A switch; sheets and AI models give it as a text. Failure: neither true nor false. */
export function flag(label: string, value: unknown): boolean {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true' || word === 1 || word === '1') return true;
	if (word === false || word === 'false' || word === 0 || word === '0') return false;
	throw inputFailure(`${label} must be true or false, but is ${quoted(value)}`);
}

/** The body of an update. Failure: the user added no field, so there is nothing to change. */
export function requireChanges(body: IDataObject): IDataObject {
	if (Object.keys(body).length > 0) return body;
	throw inputFailure('There is nothing to update', 'Add at least one field under Update Fields');
}

/** The value of a JSON field: text that is parsed, or what an expression made of it. Failure: it does not parse. */
export function parsedJson(label: string, value: unknown): IDataObject[string] {
	const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
	try {
		return jsonParse<object | string | number | boolean | null>(text);
	} catch {
		throw inputFailure(
			`${label} is no valid JSON`,
			'Put texts in double quotes, and look for a missing comma or bracket',
		);
	}
}
