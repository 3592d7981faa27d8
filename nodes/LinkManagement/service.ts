import type { IDataObject } from 'n8n-workflow';

import type { Send, Service } from '../shared/http/service';
import { keyedRequest, type KeyPlace, type ServiceCredential } from '../shared/http/credential';
import type { Envelope } from '../shared/http/response';
import { pageIn } from '../shared/lists/pages';
import { Failure, toFailure } from '../shared/values/failure';
import { integerIn, textIn } from '../shared/values/json';
import { decodeEntities } from '../shared/values/text';
import { hostIn } from './values/shortUrl';

/** The values of `error` that mean success: 0, and the forms that a service may write it in. */
const SUCCESS: readonly unknown[] = [0, '0', false, 'false', null, ''];

/** Members of successful responses. One without `error`, such as the overlay list, must have one of them. */
const SUCCESS_MEMBERS = [
	'data',
	'details',
	'id',
	'shorturl',
	'short',
	'short_url',
	'link',
	'message',
	'cta',
	'overlay',
] as const;

/** A key may be limited to some resources: if it reads links, it works. @throws Failure */
async function testKey({ shortBase }: ServiceCredential, send: Send): Promise<void> {
	const refusal = await send({ method: 'GET', path: linkService.testPath }).then(
		() => undefined,
		toFailure,
	);
	if (refusal && refusal.kind !== 'refused') throw refusal;
	const hosts = await hostsOf('/api/urls', 'urls', 'shorturl', send);
	if (!hosts && refusal) throw refusal.with({ advice: linkService.keyAdvice });
	if (hosts && !hosts.includes(hostIn(shortBase))) await requireShortDomain(hosts, send);
}

/** @throws Failure if new links are on a host that is none of the branded domains */
async function requireShortDomain(
	[newest]: ReadonlyArray<string | undefined>,
	send: Send,
): Promise<void> {
	if (newest === undefined) return;
	const domains = await hostsOf('/api/domains', 'domains', 'domain', send);
	if (!domains || domains.includes(newest)) return;
	throw new Failure({
		kind: 'refused',
		message: `The key works, but new links of this account are on ${newest}`,
		advice: `Enter ${newest} as 'Short Link Domain'`,
	});
}

/** The hosts of the first records of a list, those of the newest ones first; undefined if the key may not read it. */
async function hostsOf(
	path: string,
	listName: string,
	member: string,
	send: Send,
): Promise<Array<string | undefined> | undefined> {
	try {
		const { body } = await send({ method: 'GET', path, query: { limit: 10, page: 1 } });
		const { records } = pageIn(body, { listName });
		return records
			.toSorted((a, b) => Number(b.id) - Number(a.id))
			.map((record) => hostIn(record[member]));
	} catch (error) {
		const failure = toFailure(error);
		if (failure.mayBeRefusal) return undefined;
		throw failure;
	}
}

const KEY_PLACE: KeyPlace = { to: 'headers', name: 'Authorization', prefix: 'Bearer ' };

/** The link management service: its API document under "Authentication" and "Errors". */
export const linkService: Service = {
	serviceName: 'the service',
	credentialType: 'linkManagementApi',
	/** An extra header named Authorization replaces the key's. */
	async authenticate(data, request) {
		return await Promise.resolve(keyedRequest(data, request, KEY_PLACE));
	},
	documentedLimit: 30,
	testPath: '/api/account',
	testKey,
	keyAdvice:
		'Check the API key in the credential: it may be mistyped, expired or replaced. Or a web server may remove the Authorization header that contains it',
	envelopeOf(body: IDataObject): Envelope {
		const written = textIn(body.message);
		const message = written && decodeEntities(written);
		if ('error' in body) {
			const { error } = body;
			// PHP may write no errors as an empty list.
			const isSuccess = SUCCESS.includes(error) || (Array.isArray(error) && error.length === 0);
			// A code tells people nothing.
			const words = integerIn(error) === undefined ? textIn(error) : undefined;
			return { outcome: isSuccess ? 'success' : 'failure', message: message ?? words };
		}
		const isAnswer = SUCCESS_MEMBERS.some((name) => name in body);
		return { outcome: isAnswer ? 'success' : 'unknown', message };
	},
};
