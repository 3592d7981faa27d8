import { pathToFileURL } from 'node:url';

/** The environment in which an n8n takes other servers for hosts. @param addresses by the ends of the names of the hosts */
export const standInsFor = (addresses: Record<string, string>): Record<string, string> => ({
	STAND_INS: JSON.stringify(addresses),
	NODE_OPTIONS: `--import=${pathToFileURL('test/e2e/reroute.mjs').href}`,
});
