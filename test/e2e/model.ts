import { json } from 'node:stream/consumers';

import { serve } from '../loopback.ts';
import type { CredentialInput } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';

/** What the model says at its turn: that a tool be called, or its last word. */
type Turn = { tool: string; input: JsonRecord } | { say: string };

/** A turn, or how it follows from what the tool gave that was called last. */
type ScriptLine = Turn | ((given: JsonRecord[]) => Turn);

/** A language model that follows a script, behind the interface that OpenAI's models have. */
export async function startModel(stack: AsyncDisposableStack, script: ScriptLine[]) {
	const requests: JsonRecord[] = [];
	const server = await serve((request, response) => {
		void json(request).then((sent) => {
			const line = script[requests.length] ?? { say: 'I have nothing more to say.' };
			requests.push(record(sent));
			const turn = typeof line === 'function' ? line(lastToolResult(record(sent))) : line;
			const choice = { index: 0, finish_reason: 'stop', message: messageOf(turn, requests.length) };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ object: 'chat.completion', choices: [choice] }));
		});
	});
	stack.defer(async () => await server.stop());
	const data = { apiKey: KEYS.model, url: `${server.url}/v1`, header: false };
	const credential: CredentialInput = { name: 'OpenAI account', type: 'openAiApi', data };
	return { credential, requests };
}

function messageOf(turn: Turn, number: number): JsonRecord {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const called = { name: turn.tool, arguments: JSON.stringify(turn.input) };
	const call = { index: 0, id: `call_${number}`, type: 'function', function: called };
	return { role: 'assistant', content: null, tool_calls: [call] };
}

/** The items of the node, as the model got them. */
function lastToolResult({ messages }: JsonRecord): JsonRecord[] {
	const message = list(messages)
		.map(record)
		.findLast(({ role }) => role === 'tool');
	const content: unknown = JSON.parse(String(message?.content));
	return [content].flat().map(record);
}
