import type { Failure } from '../../shared/values/failure';
import { inputFailure } from '../../shared/values/failure';
import { quoted } from '../../shared/values/path';
import type { ReadValue } from '../../shared/values/text';

/** Schemes of addresses that run code or show files where they are opened. */
const DANGEROUS_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'];

/** A scheme and what follows it. Without slashes a dot or a port shows that `example.com:80` has none. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?!https?:|localhost:)[a-z][a-z0-9+-]*:)/i;

/** Any absolute address that a link may lead to: `mailto:` and `myapp://` too. An empty one clears the field. */
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

/** An address of the web. An empty one clears the field. */
export const webAddress: ReadValue<string> = (label, value) => read(/^https?:\/\//i, label, value);

function read(form: RegExp, label: string, value: unknown): string {
	const entered = typeof value === 'string' ? value.trim() : undefined;
	if (entered === '' || (entered && form.test(entered) && URL.canParse(entered))) return entered;
	throw refused(label, value, 'Write it with http:// or https:// in front');
}

const refused = (label: string, value: unknown, advice: string): Failure =>
	inputFailure(`${label} must be a web address, but is ${quoted(value)}`, advice);
