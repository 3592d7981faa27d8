import type { IncomingMessage } from 'node:http';

import { isRecord, list, record } from '../n8n-host/json.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import type { LoopbackServer } from '../loopback.ts';
import { serve } from '../loopback.ts';

/** What the model says at its turn: that a tool be called, or its last word. */
export type Turn = { tool: string; input: JsonRecord } | { say: string };

/** A turn, or how it follows from what the model was sent. */
export type ScriptLine = Turn | ((request: ModelRequest) => Turn);

/** One request to the model, as the chat completions interface has it. */
export interface ModelRequest {
	authorization: string | undefined;
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
	const server = await serve((request, response) => {
		void bodyOf(request).then((body) => {
			const line = script[requests.length] ?? { say: 'I have nothing more to say.' };
			const asked = {
				authorization: request.headers.authorization,
				messages: list(body.messages).filter(isRecord),
				tools: list(body.tools).map((tool) => toolOf(record(record(tool).function))),
			};
			requests.push(asked);
			const answer = completion(typeof line === 'function' ? line(asked) : line, requests.length);
			if (body.stream === true) {
				response.setHeader('content-type', 'text/event-stream');
				response.end(`data: ${JSON.stringify(chunkOf(answer))}\n\ndata: [DONE]\n\n`);
			} else {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answer));
			}
		});
	});
	return { ...server, url: `${server.url}/v1`, requests };
}

async function bodyOf(request: IncomingMessage): Promise<JsonRecord> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	const body: unknown = JSON.parse(text === '' ? '{}' : text);
	return record(body);
}

/** The result of the tool that was called last, as the model got it: the node's items, as JSON. */
export function lastToolResult({ messages }: ModelRequest): JsonRecord[] {
	const message = messages.findLast(({ role }) => role === 'tool');
	const content: unknown = JSON.parse(String(message?.content));
	return [content].flat().map(record);
}

function toolOf({ name, description, parameters }: JsonRecord): ModelRequest['tools'][number] {
	return {
		name: String(name),
		description: String(description),
		parameters: record(parameters),
	};
}

function completion(turn: Turn, number: number): JsonRecord {
	const message =
		'say' in turn
			? { role: 'assistant', content: turn.say }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [
						{
							index: 0,
							id: `call_${number}`,
							type: 'function',
							function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
						},
					],
				};
	return {
		id: `completion-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** The whole answer as the one piece of a streamed one. */
function chunkOf({ choices, ...answer }: JsonRecord): JsonRecord {
	const [choice] = list(choices).map(record);
	const { message, ...rest } = choice ?? {};
	return { ...answer, object: 'chat.completion.chunk', choices: [{ ...rest, delta: message }] };
}
