import { json } from 'node:stream/consumers';

import { list, record } from '../n8n-host/json.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import type { LoopbackServer } from '../loopback.ts';
import { serve } from '../loopback.ts';

/** What the model says at its turn: that a tool be called, or its last word. */
export type Turn = { tool: string; input: JsonRecord } | { say: string };

/** A turn, or how it follows from what the model was sent. */
export type ScriptLine = Turn | ((request: ModelRequest) => Turn);

/** One request to the model, as the chat completions interface has it. */
export interface ModelRequest {
	messages: JsonRecord[];
	/** Names and schemas of the tools that the model may have called */
	tools: Array<{ name: string; description: string; parameters: JsonRecord }>;
}

/** A language model that follows a script, behind the interface that OpenAI's models have. */
export interface ScriptedModel extends LoopbackServer {
	requests: ModelRequest[];
}

/** @returns its `url` ends in `/v1` */
export async function startModel(script: ScriptLine[]): Promise<ScriptedModel> {
	const requests: ModelRequest[] = [];
	const turnFor = (body: JsonRecord): Turn => {
		const line = script[requests.length] ?? { say: 'I have nothing more to say.' };
		const tools = list(body.tools).map((tool) => {
			const { name, description, parameters } = record(record(tool).function);
			return {
				name: String(name),
				description: String(description),
				parameters: record(parameters),
			};
		});
		const asked = { messages: list(body.messages).map(record), tools };
		requests.push(asked);
		return typeof line === 'function' ? line(asked) : line;
	};
	const server = await serve((request, response) => {
		void json(request).then((sent) => {
			const body = record(sent);
			const message = messageOf(turnFor(body), requests.length);
			const choice = { index: 0, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' };
			const answer = {
				id: `completion-${requests.length}`,
				created: 0,
				model: 'scripted',
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
			if (body.stream === true) {
				// The whole answer as one piece.
				const choices = [{ ...choice, delta: message }];
				const chunk = { ...answer, object: 'chat.completion.chunk', choices };
				response.setHeader('content-type', 'text/event-stream');
				response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
			} else {
				const choices = [{ ...choice, message }];
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ ...answer, object: 'chat.completion', choices }));
			}
		});
	});
	return { ...server, url: `${server.url}/v1`, requests };
}

function messageOf(turn: Turn, number: number): JsonRecord {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const called = { name: turn.tool, arguments: JSON.stringify(turn.input) };
	const call = { index: 0, id: `call_${number}`, type: 'function', function: called };
	return { role: 'assistant', content: null, tool_calls: [call] };
}

/** The result of the tool that was called last, as the model got it: the node's items, as JSON. */
export function lastToolResult({ messages }: ModelRequest): JsonRecord[] {
	const message = messages.findLast(({ role }) => role === 'tool');
	const content: unknown = JSON.parse(String(message?.content));
	return [content].flat().map(record);
}
