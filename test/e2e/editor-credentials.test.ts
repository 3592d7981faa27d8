import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { withEditor } from './editor.ts';
import { KEYS } from './keys.ts';
import type { LoopbackServer } from './loopback.ts';
import { startWebsite } from './loopback.ts';
import { theStage } from './stage.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);
let website: LoopbackServer;
/** The credentials that were there before */
let kept: string[];

beforeAll(async () => {
	website = await startWebsite();
	await client.login(DEMO_OWNER);
	kept = (await client.credentials()).map(({ id }) => id);
});

afterAll(async () => {
	await website.stop();
	for (const credential of await client.credentials()) {
		if (!kept.includes(credential.id)) await client.deleteCredential(credential);
	}
});

describe.each([
	{ type: 'Link Management API', baseUrl: stage.linkUrl, apiKey: stage.linkApiKey },
	{ type: 'Store API', baseUrl: stage.storeUrl, apiKey: stage.storeApiKey },
])('a new credential of the type $type', ({ type, baseUrl, apiKey }) => {
	async function verdictOn(fields: Record<string, string>): Promise<string> {
		await editor().newCredential(type);
		await editor().saveCredential({ baseUrl, apiKey, ...fields });
		return await editor().connectionVerdict();
	}

	test('is tested successfully with address and key alone', async () => {
		expect(await verdictOn({})).toContain('Connection tested successfully');
	});

	test('with a wrong key says that it is the key', async () => {
		const verdict = await verdictOn({ apiKey: KEYS.mistyped });
		expect(verdict).toMatch(/Check the API key in the credential/);
		expect(verdict).not.toContain(KEYS.mistyped);
	});

	test('with an address where nothing listens says so', async () => {
		const [port = 0] = await freePorts(1);
		expect(await verdictOn({ baseUrl: `http://127.0.0.1:${port}` })).toMatch(
			/nothing listens at that address.*Check the base URL/i,
		);
	});

	test('with the address of a web page says that it is one', async () => {
		const verdict = await verdictOn({ baseUrl: website.url });
		expect(verdict).toMatch(/web page|HTML/i);
		expect(verdict).toMatch(/base URL/i);
		expect(verdict).not.toContain('<h1>');
	});
});
