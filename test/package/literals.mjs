/**
 * `node literals.mjs` writes the description of each node and credential type, as the built code has it, into a literal, and runs
 * n8n's lint on that: most of its rules read literals only, and see little of a description that is put together.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';

import { config } from '@n8n/node-cli/eslint';
import { ESLint } from 'eslint';

/** What its rules find in the literals, and why it stays, by `<class> <rule>`. */
const ACCEPTED = {
	'LinkManagement node-param-options-type-unsorted-items': 'the actions of links come first',
	'LinkManagement node-param-collection-type-unsorted-items': 'the tags of a link come first',
	'LinkManagement node-param-description-wrong-for-upsert': 'it says which record',
	'LinkManagementApi credential-unnecessary-password': 'the extra header may hold a secret',
	'LinkManagementApi credential-password-field': 'whether certificates count is no secret',
	'StoreApi credential-unnecessary-password': 'so may it here, and a known code is one',
	'StoreApi credential-password-field': 'nor are the name and the place of a header',
};

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });

/** The members as TypeScript: JSON with names that are not quoted, and the type of connection as n8n's rule wants it. */
function literal(value) {
	const json = JSON.stringify(value).replace(/"(\w+)":/g, '$1:');
	return json.replace(/puts:\["main"\]/g, 'puts:[NodeConnectionTypes.Main]');
}

function sourceOf(name, { description, ...members }) {
	const isNode = description !== undefined;
	const fields = isNode ? { description } : members;
	const type = isNode ? 'INodeType' : 'ICredentialType';
	const lines = Object.entries(fields)
		.filter(([, value]) => typeof value !== 'function')
		.map(([field, value]) => `${field} = ${literal(value)};`);
	const names = isNode ? `NodeConnectionTypes, type ${type}` : `type ${type}`;
	const imported = `import { ${names} } from 'n8n-workflow';`;
	return `${imported}\nexport class ${name} implements ${type} { ${lines.join('\n')} }`;
}

for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
	const name = basename(file).split('.')[0];
	const text = sourceOf(name, new (require(resolve(file))[name])());
	const filePath = resolve(file.replace('dist/', '').replace('.js', '.ts'));
	const [{ messages }] = await eslint.lintText(text, { filePath });
	for (const { ruleId, message } of messages) {
		const finding = `${name} ${String(ruleId).split('/').at(-1)}`;
		if (!(finding in ACCEPTED)) console.log(`${finding}: ${message}`);
	}
}
