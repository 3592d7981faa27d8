import { inputFailure } from '../values/failure';

const EXAMPLE = 'Enter it in the credential as in https://www.example.com';

/**
 * The address that the documents call {base_url}: with its scheme, without the /api that every path brings along,
 * without a slash or a query at the end.
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw inputFailure('The base URL is empty', EXAMPLE);
	if (!/^https?:\/\//i.test(text)) {
		throw inputFailure(`The base URL "${withoutUser(text)}" has no http:// or https://`, EXAMPLE);
	}
	if (!URL.canParse(text)) {
		throw inputFailure(`The base URL "${withoutUser(text)}" is no web address`, EXAMPLE);
	}
	const { origin, pathname, username, password } = new URL(text);
	if (username !== '' || password !== '') {
		throw inputFailure('The base URL holds a user name or a password', EXAMPLE);
	}
	return `${origin}${pathname}`
		.replace(/\/+$/, '')
		.replace(/\/api$/i, '')
		.replace(/\/+$/, '');
}

/** A password before the host must not be repeated in a message. */
function withoutUser(text: string): string {
	return text.replace(/[^/@]*@/, '');
}
