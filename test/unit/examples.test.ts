import { isRecord, record } from '../n8n-host/json.ts';
import { readExamples } from '../n8n-host/instance.ts';
import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { OPERATIONS } from '../operations.ts';
import type { INodeProperties } from 'n8n-workflow';

const TRIGGERS = [new LinkManagementTrigger(), new StoreTrigger()].map(
	({ description }) => description,
);

/** `options.order` for what a node of an example sets and the node does not have. */
function unknownIn(values: unknown, fields: readonly INodeProperties[], path = ''): string[] {
	return Object.entries(record(values)).flatMap(([name, value]) => {
		const found = fields.filter((field) => field.name === name);
		if (found.length === 0) return [`${path}${name}`];
		const parts = found.flatMap(({ type, options = [] }) => (type === 'collection' ? options : []));
		const inner = parts.filter((part): part is INodeProperties => 'type' in part);
		return inner.length > 0 && isRecord(value) ? unknownIn(value, inner, `${path}${name}.`) : [];
	});
}

test('examples set no parameter that their node does not have', async () => {
	for (const [file, { nodes }] of await readExamples()) {
		for (const { type, name, parameters } of nodes) {
			const [, own] = /^n8n-nodes-linkstore\.(\w+?)(?:Tool)?$/.exec(type) ?? [];
			if (own === undefined) continue;
			const { resource, operation, ...values } = parameters;
			const action = OPERATIONS.find(
				(each) => each.node === own && each.name === `${String(resource)}.${String(operation)}`,
			);
			const fields = action?.fields ?? TRIGGERS.find((each) => each.name === own)?.properties ?? [];
			const n8ns = ['pollTimes', 'descriptionType', 'toolDescription'];
			const unknown = unknownIn(values, fields).filter((path) => !n8ns.includes(path));
			expect([file, name, unknown]).toEqual([file, name, []]);
		}
	}
});
