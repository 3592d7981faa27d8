import { urlIn } from '../../shared/values/webAddress';

/** An address as a browser sends it: other scripts percent-encoded, or in Punycode in its host. What is ASCII stays as it is. */
export function encodedAddress(address: string): string {
	if (!/\P{ASCII}/u.test(address)) return address;
	const withHost = address.replace(
		/^(https?:\/\/)([^/?#]*)/i,
		(_, scheme: string, authority: string) => {
			const userEnd = authority.lastIndexOf('@') + 1;
			return `${scheme}${authority.slice(0, userEnd)}${encodedHost(authority.slice(userEnd))}`;
		},
	);
	return withHost.replace(/\P{ASCII}/gu, encodeURIComponent);
}

/** @param host with its port */
const encodedHost = (host: string): string =>
	/\P{ASCII}/u.test(host) ? (urlIn(`http://${host}`)?.host ?? host) : host;
