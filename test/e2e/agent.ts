import type { WorkflowJson } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import type { Step } from './workflow.ts';
import { TRIGGER } from './workflow.ts';

/** Lets the model fill a parameter. */
export function fromModel(name: string, description: string): string {
	return `={{ $fromAI('${name}', '${description}', 'string') }}`;
}

/** A workflow in which an agent may use some steps as tools, with the credential *Scripted model*. */
export function agentWorkflow(name: string, text: string, tools: Step[]): WorkflowJson {
	const steps: Step[] = [
		{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text, options: {} },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: { openAiApi: { name: 'Scripted model' } },
		},
		...tools.map((tool) => ({ ...tool, type: `${tool.type}Tool` })),
	];
	const toAgent = (type: string): JsonRecord => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	return {
		name,
		nodes: steps.map((step, index) => ({ typeVersion: 1, position: [index * 200, 0], ...step })),
		connections: {
			[TRIGGER]: toAgent('main'),
			Model: toAgent('ai_languageModel'),
			...Object.fromEntries(tools.map((tool) => [tool.name, toAgent('ai_tool')])),
		},
		settings: { executionOrder: 'v1' },
	};
}
