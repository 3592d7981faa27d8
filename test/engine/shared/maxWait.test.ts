import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { runNode } from '../helpers/engine.ts';
import { byId, like } from '../helpers/support.ts';

/** *Wait at Most*: an item ends at its limit, whatever the service does, and ends no other item. */

/** What a service does with a request; nothing, if it never responds. */
type Handle = (request: Received, response: ServerResponse) => void;

interface Received {
	/** `POST /api/url/add` */
	request: string;
	body: IDataObject;
	/** How many such requests came before. */
	before: number;
}

const say = (response: ServerResponse, body: object, status = 200, headers = {}): void => {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
};

const limited = (response: ServerResponse): void =>
	say(response, { error: 1, message: 'Too many requests' }, 429, { 'retry-after': '3600' });

async function bodyOf(request: IncomingMessage): Promise<IDataObject> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString() || '{}') as IDataObject;
}

interface Run {
	type: 'linkManagement' | 'store';
	parameters: INodeParameters;
	rows?: IDataObject[];
	handle: Handle;
}

/** Runs an operation with *Continue*. @returns the items, what was sent, and how long it took */
async function runWith({ type, parameters, rows = [{}], handle }: Run) {
	const sent: string[] = [];
	const server = await serve((request, response) => {
		void bodyOf(request).then((body) => {
			const line = `${request.method ?? ''} ${(request.url ?? '').replace(/\?.*/, '')}`;
			const before = sent.filter((each) => each === line).length;
			sent.push(line);
			handle({ request: line, body, before }, response);
		});
	});
	const credential = { baseUrl: server.url, apiKey: `key-${Math.random()}`, requestsPerMinute: 0 };
	const name = type === 'store' ? 'storeApi' : 'linkManagementApi';
	const startedAt = performance.now();
	const { json } = await runNode({
		type,
		parameters,
		rows,
		credentials: { [name]: credential },
		settings: { onError: 'continueRegularOutput' },
	});
	const seconds = (performance.now() - startedAt) / 1000;
	await server.stop();
	return { json, sent, seconds };
}

const validate = (maxWait: number | string): INodeParameters => ({
	resource: 'purchase',
	operation: 'validate',
	purchaseCode: '={{ $json.code }}',
	options: { maxWait },
});

const create = (maxWait: number, additionalFields: INodeParameters = {}): INodeParameters => ({
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	additionalFields,
	options: { maxWait },
});

const codes = (...names: string[]): IDataObject[] => names.map((code) => ({ code }));
const urls = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ url: `https://example.com/${name}` }));

const valid: Handle = ({ body: { purchase_code } }, response) => {
	say(response, { status: 'success', data: { purchase: { purchase_code } } });
};
const made: Handle = (_received, response) => {
	say(response, { error: 0, id: 7, shorturl: 'https://s.example/a' });
};

const tooLong = (seconds: number, reason: RegExp) => ({
	error: like(
		new RegExp(`^Not finished in time \\(Wait at Most, ${seconds} s\\): .*${reason.source}`),
	),
});
const VALID: unknown = expect.objectContaining({ valid: true });
const LINK: unknown = expect.objectContaining({ id: 7 });

test('one refusal that asks for an hour ends the item at once', async () => {
	const handle: Handle = (received, response) => {
		if (received.before === 0) limited(response);
		else valid(received, response);
	};
	const rows = codes('a');
	const { json, sent } = await runWith({ type: 'store', parameters: validate(10), rows, handle });
	expect(json).toEqual([tooLong(10, /rate limit .* is used up until/)]);
	expect(sent).toEqual(['POST /api/purchases/validation']);
});

test('a read without a response ends at the limit, and the others get theirs', async () => {
	const handle: Handle = (received, response) => {
		if (received.body.purchase_code !== 'silent') valid(received, response);
	};
	const rows = codes('silent', 'a', 'b', 'silent', 'c', 'd', 'e', 'f');
	const given = { type: 'store', parameters: validate(1.5), rows, handle } as const;
	const { json, seconds } = await runWith(given);
	const silent = tooLong(1.5, /respon/);
	expect(json).toEqual([silent, VALID, VALID, silent, ...Array<unknown>(4).fill(VALID)]);
	expect(seconds).toBeLessThan(10);
});

test('the limit counts from the turn of the item', async () => {
	const handle: Handle = (received, response) => {
		setTimeout(() => valid(received, response), 300);
	};
	const rows = codes(...Array.from({ length: 30 }, (_, at) => `code-${at}`));
	const given = { type: 'store', parameters: validate(1.5), rows, handle } as const;
	expect((await runWith(given)).json).toEqual(Array(30).fill(VALID));
});

test('a write that was sent is awaited, and nothing is sent after it', async () => {
	const handle: Handle = (received, response) => {
		setTimeout(() => made(received, response), 600);
	};
	const parameters = create(0.3, { campaignId: byId(3) });
	const rows = urls('a');
	const { json, sent } = await runWith({ type: 'linkManagement', parameters, rows, handle });
	expect(sent).toEqual(['POST /api/url/add']);
	expect(json).toEqual([
		tooLong(
			0.3,
			/The link https:\/\/s\.example\/a \(ID 7\) was created, but not added to the campaign/,
		),
	]);
	const alone = { type: 'linkManagement', parameters: create(0.3), rows, handle } as const;
	expect((await runWith(alone)).json).toEqual([LINK]);
});

test('a list that one item waited for in vain is read on for the next', async () => {
	const campaigns = [{ id: 3, name: 'Spring' }];
	const handle: Handle = (received, response) => {
		const { request, before } = received;
		if (request !== 'GET /api/campaigns') made(received, response);
		else if (before > 0) say(response, { error: 0, data: { campaigns, maxpage: 1 } });
	};
	const byName = { __rl: true, mode: 'name', value: 'Spring' };
	const parameters = create(1.5, { campaignId: byName });
	const given = { type: 'linkManagement', parameters, rows: urls('a', 'b', 'c'), handle } as const;
	const { json, sent } = await runWith(given);
	expect(json).toEqual([tooLong(1.5, /respon/), LINK, LINK]);
	const lists = sent.filter((request) => request === 'GET /api/campaigns');
	// The last page is confirmed by the one after it.
	expect(lists.length).toBeLessThanOrEqual(3);
	expect(sent.filter((request) => request === 'POST /api/url/add')).toHaveLength(2);
});

test('a code is not called invalid if the key could not be proved in time', async () => {
	const handle: Handle = ({ request }, response) => {
		if (request.startsWith('POST'))
			say(response, { status: 'error', msg: 'Invalid purchase code' }, 404);
	};
	const rows = codes('a', 'b');
	const given = { type: 'store', parameters: validate(0.3), rows, handle } as const;
	const { json, seconds } = await runWith(given);
	expect(json).toEqual([tooLong(0.3, /respon/), tooLong(0.3, /respon|no time left/)]);
	expect(seconds).toBeLessThan(5);
});

test('after the run nothing is sent for what nobody waits for any more', async () => {
	const handle: Handle = (_received, response) => {
		limited(response);
	};
	const byName = { __rl: true, mode: 'name', value: 'Spring' };
	const parameters = create(5, { campaignId: byName });
	const rows = urls('a');
	const { json, sent } = await runWith({ type: 'linkManagement', parameters, rows, handle });
	expect(json).toEqual([tooLong(5, /rate limit/)]);
	await new Promise((resolve) => setTimeout(resolve, 1500));
	expect(sent).toEqual(['GET /api/campaigns']);
});

test.each([0, -1, 'soon'])('a limit of %j is refused', async (maxWait) => {
	const given = { type: 'store', parameters: validate(maxWait), handle: valid } as const;
	const { json, sent } = await runWith({ ...given, rows: codes('a') });
	expect(json).toEqual([
		{ error: like(/^Wait at Most must be a number of seconds above 0, but is/) },
	]);
	expect(sent).toEqual([]);
});

test('a run that takes longer than the limit of a row proves its invalid codes at the end', async () => {
	const handle: Handle = ({ request }, response) => {
		if (request.startsWith('GET')) say(response, { status: 'success', data: { username: 'ada' } });
		else
			setTimeout(() => say(response, { status: 'error', msg: 'Invalid purchase code' }, 404), 150);
	};
	const rows = codes(...Array.from({ length: 60 }, (_, at) => `code-${at}`));
	const { json, sent } = await runWith({ type: 'store', parameters: validate(1), rows, handle });
	expect(json.map(({ valid: isValid }) => isValid)).toEqual(rows.map(() => false));
	expect(sent).toHaveLength(62);
});
