import { OwnN8n } from './ownN8n.ts';
import { chain, link } from './workflow.ts';

/** A sheet of 40 rows as marketing teams have it, run three times in a real n8n against services as they are installed. */

const stack = new AsyncDisposableStack();
let n8n: OwnN8n;

beforeAll(async () => {
	const sandbox = { rateLimit: { requests: 30, windowSeconds: 2 } };
	n8n = await OwnN8n.open(stack, { name: 'sheet', sandbox });
});
afterAll(async () => await stack.disposeAsync());

const CAMPAIGNS = ['Spring Sale', "Ann's Week", 'Newsletter', 'Q3_2027'];

const ROWS = Array.from({ length: 40 }, (_, at) => ({
	Title: `"Quoted" offer ${at}, for Ann's shop`,
	URL: `https://example.com/${at}?say="it's"&name=A_B`,
	Alias: `row_${at}_${at % 2 === 0 ? 'Even' : 'odd'}`,
	Domain: at % 2 === 0 ? 'https://go.example.com' : '',
	Campaign: CAMPAIGNS[at % CAMPAIGNS.length] ?? '',
	Channel: at % 3 === 0 ? 'Print' : '',
	Password: at % 10 === 0 ? `secret_${at}` : '',
	Expiry: at % 2 === 1 ? '31.12.2099' : '',
}));

const WITH_PASSWORD = ROWS.filter(({ Password }) => Password !== '').length;

async function run(rows: typeof ROWS) {
	n8n.sandbox.clearRequests();
	const parameters = { mappingMode: 'autoMapInputData', options: { createMissing: true } };
	const result = await n8n.client.run(
		n8n.ready(chain('Sheet', rows, [link('Links', 'upsert', parameters)])),
	);
	expect(result.error).toBe('');
	const output = result.json('Links');
	return {
		output,
		outcomes: output.map(({ outcome }) => outcome),
		links: output.map(({ id }) => n8n.sandbox.stored('links', id)),
		updates: n8n.sandbox.requests.filter(({ method }) => method === 'PUT').length,
		requests: n8n.sandbox.requests.length,
	};
}

const idOf = (table: 'campaigns' | 'channels', name: string) =>
	n8n.sandbox.tables[table].first("record ->> 'name' = ?", name)?.id;

test('every link has what its row says, and a later run writes only what changed', async () => {
	const first = await run(ROWS);
	expect(first.outcomes).toEqual(ROWS.map(() => 'created'));
	expect(first.links).toMatchObject(
		ROWS.map(({ Title, Password, Domain, Expiry, Campaign, Channel }) => ({
			title: Title,
			campaign: idOf('campaigns', Campaign),
			...(Channel === '' ? {} : { channel: idOf('channels', Channel) }),
			...(Password === '' ? {} : { password: Password }),
			...(Domain === '' ? {} : { domain: Domain }),
			...(Expiry === '' ? {} : { expiry: '2099-12-31 23:59:59' }),
		})),
	);

	// Nobody can read a password, so a row with one is written each time.
	const second = await run(ROWS);
	const isUpdated = ({ Password }: { Password: string }) => Password !== '';
	expect(second.outcomes).toEqual(ROWS.map((row) => (isUpdated(row) ? 'updated' : 'unchanged')));
	expect(second.updates).toBe(WITH_PASSWORD);
	expect(second.links).toEqual(first.links);

	const [changed = ROWS[0], ...others] = ROWS.slice(1);
	const third = await run([ROWS[0], { ...changed, Title: 'Changed' }, ...others] as typeof ROWS);
	expect(third.updates).toBe(WITH_PASSWORD + 1);
	expect(third.links).toEqual(
		second.links.map((each, at) => (at === 1 ? { ...each, title: 'Changed' } : each)),
	);
	// One for each new link, and the domains; then the details of each expiry, and two for each password.
	expect([first, second, third].map(({ requests }) => requests)).toEqual([47, 33, 34]);
});
