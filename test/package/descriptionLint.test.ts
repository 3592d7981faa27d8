import { Linter } from 'eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import type { INodeProperties } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { choicesOf, OPERATION_NODES } from '../operations.ts';

/**
 * n8n's lint rules for parameters, on the properties that n8n reads. In the source they see only what is written out
 * there; here they see every dropdown and collection as it was put together.
 */

const NODES = [
	OPERATION_NODES.linkManagement.node,
	OPERATION_NODES.store.node,
	new LinkManagementTrigger(),
	new StoreTrigger(),
];

const RULES = Object.keys(n8nNodesBase.configs.nodes.rules).filter(
	(rule) =>
		rule.startsWith('n8n-nodes-base/node-param-') &&
		// Off in the source, too: eslint.own.config.mjs says why.
		rule !== 'n8n-nodes-base/node-param-type-options-password-missing' &&
		// Wants "a record", where users look for a link.
		rule !== 'n8n-nodes-base/node-param-description-wrong-for-upsert',
);

/** As a rule for the order of the alphabet prints the names. */
const alphabetical = (names: readonly string[]): string =>
	`Order: ${names.toSorted((a, b) => a.localeCompare(b)).join(' | ')}`;

/** What is not in the order of the alphabet, as a rule would have it. */
const SORTED_BY_USE = [
	// The order of campaign builders: the editor shows all five in the order of the options.
	alphabetical(['Source', 'Medium', 'Campaign', 'Term', 'Content']),
	// UTM parameters come first in a collection: they are added to most links.
	...OPERATION_NODES.linkManagement.node.description.properties
		.flatMap(({ options = [] }) => [options.flatMap((each) => ('type' in each ? [each] : []))])
		.filter(([first]) => first?.name === 'utm')
		.map((options) => alphabetical(options.map(({ displayName }) => displayName))),
	// Links come first, so that their actions are at the top of the list of actions.
	alphabetical(OPERATION_NODES.linkManagement.resources.map(({ name }) => name)),
];

/** What the rules find, and the line in which they find it. */
function findings(properties: readonly INodeProperties[]): string[] {
	const json = JSON.stringify(properties, null, '\t');
	const code = `const properties = ${json.replace(/^(\t+)"(\w+)":/gm, '$1$2:')};`;
	const messages = new Linter().verify(
		code,
		[
			{
				files: ['**/*.js'],
				plugins: { 'n8n-nodes-base': n8nNodesBase },
				rules: Object.fromEntries(RULES.map((rule) => [rule, 'error'])),
			},
		],
		{ filename: 'properties.js' },
	);
	const lines = code.split('\n');
	return messages
		.filter(({ message }) => !SORTED_BY_USE.some((order) => message.includes(order)))
		.map(({ line, ruleId, message }) =>
			[ruleId, message, lines.slice(line - 1, line + 1).join('')].join(': ').replace(/\s+/g, ' '),
		);
}

test.each(NODES.map(({ description }) => [description.name, description] as const))(
	'%s follows the rules of n8n for parameters',
	(_name, { properties }) => {
		expect(findings(properties)).toEqual([]);
	},
);

test('the rules see what is wrong with an option of a dropdown', () => {
	const { properties } = OPERATION_NODES.linkManagement.node.description;
	const [, dropdown] = properties;
	if (!dropdown) throw new Error('There is no dropdown');
	const options = choicesOf(dropdown).map(({ action: _action, ...option }) => option);
	expect(findings([{ ...dropdown, options }]).join()).toContain('operation-option-without-action');
});

test('resources are in the order of the alphabet, after the one whose actions come first', () => {
	for (const { resources } of Object.values(OPERATION_NODES)) {
		const [first, ...others] = resources.map(({ name }) => name);
		expect([first, ...others]).toEqual([first, ...others.toSorted((a, b) => a.localeCompare(b))]);
	}
});
