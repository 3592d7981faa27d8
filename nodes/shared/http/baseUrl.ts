import { inputFailure } from '../values/failure';

const EXAMPLE = 'Enter it in the credential as in https://www.example.com';

/**
 * The address that the documents call {base_url}: with its scheme, without the /api that every path brings along,
 * without a slash or a query at the end.
 * @throws Failure that repeats no secret: no user name, no password, and no query, which may hold a key
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw inputFailure('The base URL is empty', EXAMPLE);
	const hasScheme = /^https?:\/\//i.test(text);
	const url = hasScheme && URL.canParse(text) ? new URL(text) : undefined;
	// Where a URL cannot be read, nobody can tell where in it a password ends.
	if (url ? url.username !== '' || url.password !== '' : text.includes('@')) {
		throw inputFailure('The base URL holds a user name or a password', EXAMPLE);
	}
	if (!url) {
		const shown = text.replace(/[?#].*$/s, '');
		const fault = hasScheme ? 'is no web address' : 'has no http:// or https://';
		throw inputFailure(`The base URL "${shown}" ${fault}`, EXAMPLE);
	}
	return `${url.origin}${url.pathname}`
		.replace(/\/+$/, '')
		.replace(/\/api$/i, '')
		.replace(/\/+$/, '');
}
