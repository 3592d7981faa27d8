import type { INode } from 'n8n-workflow';

import { callTool } from '../helpers/engine.ts';
import { like, onStage, Stage } from '../helpers/support.ts';

/** The node as a tool of an AI agent, of which each call is a run of its own. */

const stage = onStage(new Stage());

/** The agent asks for these links, one after another, and the first answer is lost. */
async function loseFirst(settings: Partial<INode>, urls: string[]) {
	stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
	return await createLinks(settings, urls);
}

async function createLinks(settings: Partial<INode>, urls: string[], title = '') {
	stage.sandbox.clearRequests();
	const parameters = {
		resource: 'link',
		operation: 'create',
		url: "={{ $fromAI('url') }}",
		additionalFields: { metaTitle: "={{ $fromAI('title') }}" },
	};
	const { linkManagementApi = {} } = stage.credentials;
	const given = { parameters, credentials: { linkManagementApi }, settings };
	return await callTool(
		given,
		urls.map((url) => [{ url, title }]),
	);
}

const LOST = [like(/may still have been carried out/)];
const url = 'https://example.com/';

test('a call after one whose answer was lost is sent: it is another call, if an equal one', async () => {
	expect(await loseFirst({}, [url, url])).toEqual([LOST, [like(/shorturl/)]]);
	expect(stage.sent().map(({ body }) => body)).toEqual([{ url }, { url }]);
});

test('Retry On Fail does not repeat a call whose answer was lost', async () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	expect(await loseFirst(retry, [url])).toEqual([LOST]);
	expect(stage.sent()).toHaveLength(1);
});

test('a word for nothing counts as blank', async () => {
	await createLinks({}, [url], 'null');
	expect(stage.sent().map(({ body }) => body)).toEqual([{ url }]);
});
