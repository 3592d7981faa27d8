import { inputFailure, quoted } from '../../shared/values/failure';
import { line, type ParseValue } from '../../shared/values/input';
import { urlIn } from '../../shared/values/webAddress';

/** Schemes that run code or show files where they are opened; browsers ignore blanks and control characters in them. */
const DANGEROUS = /^(javascript|vbscript|data|file|blob):/i;

/** A scheme. What is before the colon of `example.com:80` or `localhost:80` is a host. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]+:\/\/|(?!https?:|localhost:)[a-z][a-z0-9+-]+:)/i;

/**
 * An absolute address that a link may lead to, also `mailto:` or `myapp://`. An empty value is kept: it clears the field.
 * @throws Failure if it is not an address, or its scheme is dangerous
 */
export const address: ParseValue<string> = (label, value) => {
	if (typeof value === 'string' && DANGEROUS.test(value.replace(/[\p{Cc}\s]/gu, '')))
		throw inputFailure(
			`${label} must not be the address ${quoted(value)}`,
			'It is refused, because it could harm whoever opens it',
		);
	return addressOf(ABSOLUTE, label, value);
};

/** An http or https address. An empty value is kept: it clears the field. @throws Failure if it is not one */
export const webAddress: ParseValue<string> = (label, value) =>
	addressOf(/^https?:\/\//i, label, value);

/** Characters outside ASCII are sent as a browser sends them; an address in ASCII stays as it is. */
function addressOf(form: RegExp, label: string, value: unknown): string {
	const entered = typeof value === 'string' ? line(label, value) : '?';
	if (entered === '') return '';
	const url = form.test(entered) ? urlIn(entered) : undefined;
	if (url) return /\P{ASCII}/u.test(entered) ? url.href : entered;
	throw inputFailure(
		`${label} must be a web address, but is ${quoted(value)}`,
		'Start it with http:// or https://',
	);
}
