import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';

import { isRecord, list, record } from '../n8n-host/json.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

/** What the model says at its turn: that a tool be called, or its last word. */
export type Turn = { tool: string; input: JsonRecord } | { say: string };

/** One request to the model, as the chat completions interface has it. */
export interface ModelRequest {
	authorization: string | undefined;
	messages: JsonRecord[];
	/** Names and schemas of the tools that the model may have called */
	tools: Array<{ name: string; description: string; parameters: JsonRecord }>;
}

/** A language model that follows a script, behind the interface that OpenAI's models have. */
export interface ScriptedModel {
	/** Ends in `/v1` */
	url: string;
	requests: ModelRequest[];
	stop(): Promise<void>;
}

export async function startModel(turns: Turn[]): Promise<ScriptedModel> {
	const requests: ModelRequest[] = [];
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const turn = turns[requests.length] ?? { say: 'I have nothing more to say.' };
			requests.push({
				authorization: request.headers.authorization,
				messages: list(body.messages).filter(isRecord),
				tools: list(body.tools).map((tool) => toolOf(record(record(tool).function))),
			});
			const answer = completion(turn, requests.length);
			if (body.stream === true) {
				response.setHeader('content-type', 'text/event-stream');
				response.end(`data: ${JSON.stringify(chunkOf(answer))}\n\ndata: [DONE]\n\n`);
			} else {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answer));
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = isRecord(address) ? Number(address.port) : 0;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<JsonRecord> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	const body: unknown = JSON.parse(text === '' ? '{}' : text);
	return record(body);
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
