import type { Sandbox } from '../../sandbox/sandbox.ts';
import { callLink, demoSandbox } from './clients.ts';
import { LINK_ENDPOINTS } from './manifest.ts';
import type { Presence } from './manifest.ts';

/** What the endpoints of the sandbox take and refuse is in the documents. What each answers, test/engine/shared/operations shows. */

let sandbox: Sandbox;

beforeAll(async () => {
	const rateLimit = { requests: 1000, windowSeconds: 60 };
	sandbox = await demoSandbox({ rateLimit, dialect: 'documented' });
});
afterAll(async () => await sandbox.stop());

/** Of an endpoint with placeholders, the address of the demo account's first record. */
const firstRecord = (endpoint: string) =>
	endpoint.replace(':type', 'links').replaceAll(/:\w+/g, '1');

test('no endpoint answers without a key, shows another account, or hides the rate limit', async () => {
	const { apiKey: key } = sandbox.register('link', { email: 'stranger@example.com' });
	for (const [name, { example: body }] of Object.entries(LINK_ENDPOINTS)) {
		const keyless = await callLink(sandbox, firstRecord(name), body, '');
		const answer = [keyless.status, keyless.headers.get('x-ratelimit-limit')];
		expect([name, ...answer]).toEqual([name, 401, '1000']);
		if (!name.includes('/:')) continue;
		const { status } = await callLink(sandbox, firstRecord(name), body, key);
		expect([name, status]).toEqual([name, 404]);
	}
});

/** By how the document marks a field: a value that the endpoint refuses. */
const REFUSED: Record<Presence, unknown> = {
	required: undefined,
	optional: { '': {} },
	refused: 'x',
};

/** The example of each endpoint with one field that is refused, which shows that the sandbox reads the field. */
const REFUSALS = Object.entries(LINK_ENDPOINTS).flatMap(([name, { body = {}, example }]) =>
	Object.entries(body).map(([field, presence]) => {
		return [name, field, { ...example, [field]: REFUSED[presence] }] as const;
	}),
);

test.each(REFUSALS)('%s reads %s', async (name, field, body) => {
	const { data } = await callLink(sandbox, firstRecord(name), body);
	expect(data).toMatchObject({ error: 1, message: expect.stringContaining(field) as unknown });
});
