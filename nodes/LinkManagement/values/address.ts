import type { Failure } from '../../shared/values/failure';
import { inputFailure } from '../../shared/values/failure';
import { quoted } from '../../shared/values/path';
import type { ReadValue } from '../../shared/values/text';
import { text } from '../../shared/values/text';

/** Schemes of addresses that run code or show files where they are opened. */
const DANGEROUS_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'];

/** A scheme. What is before the colon of `example.com:80` or `localhost:80` is a host, and no scheme. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?!https?:|localhost:)[a-z][a-z0-9+-]*:)/i;

/**
 * An absolute address that a link may lead to, also `mailto:` or `myapp://`. An empty one is kept: it clears the field.
 * @throws Failure if it is none, or if its scheme is dangerous
 */
export const address: ReadValue<string> = (label, value) => {
	const entered = read(ABSOLUTE, label, value);
	const scheme = entered && new URL(entered).protocol;
	if (!DANGEROUS_SCHEMES.includes(scheme)) return entered;
	throw refused(
		label,
		value,
		`Addresses with ${scheme} are not sent: they could harm whoever opens the link`,
	);
};

/** An http or https address. An empty one is kept: it clears the field. @throws Failure if it is none */
export const webAddress: ReadValue<string> = (label, value) => read(/^https?:\/\//i, label, value);

function read(form: RegExp, label: string, value: unknown): string {
	const entered = typeof value === 'string' ? text(label, value) : undefined;
	if (entered === '' || (entered && form.test(entered) && URL.canParse(entered))) return entered;
	throw refused(label, value, 'Write it with http:// or https:// in front');
}

const refused = (label: string, value: unknown, advice: string): Failure =>
	inputFailure(`${label} must be a web address, but is ${quoted(value)}`, advice);
