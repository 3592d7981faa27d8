import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { CredentialRef, N8nClient } from '../n8n-host/client.ts';
import { sandboxCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';

interface OwnCredentials {
	/** Ends their names, to tell them from those that all suites share */
	suffix: string;
	/** Default: that of the demo account */
	linkApiKey?: string;
	/** What differs from the usual data */
	data?: JsonRecord;
}

/** Saves credentials of both types for a sandbox that a suite has to itself. */
export async function saveOwnCredentials(
	client: N8nClient,
	{ linkUrl, storeUrl }: Pick<Sandbox, 'linkUrl' | 'storeUrl'>,
	{ suffix, linkApiKey = KEYS.link, data = {} }: OwnCredentials,
): Promise<CredentialRef[]> {
	const access = { linkUrl, linkApiKey, storeUrl, storeApiKey: KEYS.store };
	const saved: CredentialRef[] = [];
	for (const { name, data: usual, ...input } of sandboxCredentials(access)) {
		saved.push(
			await client.saveCredential({
				...input,
				name: `${name} ${suffix}`,
				data: { ...usual, ...data },
			}),
		);
	}
	return saved;
}
