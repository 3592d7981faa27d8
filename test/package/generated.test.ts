import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedFiles } from '../../packages/generate.ts';

/** What `npm run generate` writes for one service alone. */

const FILES = generatedFiles();
const readmeOf = (service: string): string => FILES.get(`packages/${service}/README.md`) ?? '';

test('the examples and the README of each service are what npm run generate writes', () => {
	const present = globSync(['examples/*/*.json', 'packages/*/README.md']);
	expect(present.sort()).toEqual([...FILES.keys()].sort());
	const old = present.filter((path) => readFileSync(path, 'utf8') !== FILES.get(path));
	expect(old).toEqual([]);
});

test.each(['.', 'packages/links', 'packages/store'])(
	'the examples that %s/README.md links have the nodes of its package',
	(folder) => {
		const readme = readFileSync(join(folder, 'README.md'), 'utf8');
		const linked = [...readme.matchAll(/\]\(([^)]*\.json)\)/g)].map(([, path = '']) => path);
		const types = linked.flatMap(
			(path) =>
				readFileSync(join(folder, path), 'utf8').match(/(?<=")n8n-nodes-linkstore[^."]*/g) ?? [],
		);
		const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
			name: string;
		};
		expect(new Set(types)).toEqual(new Set([name]));
	},
);

test.each([
	['links', ['`outcome`', '`error`', 'operations.md#columns', 'examples/links/']],
	['store', ['`valid`', '`reason`', 'examples/store/']],
])('the README for %s has what somebody asks who finds the package', (service, parts) => {
	const readme = readmeOf(service);
	const name = `n8n-nodes-linkstore-${service}`;
	const common = [
		`# ${name}\n`,
		`enter\n\`${name}\``,
		'## Your first',
		'.png)',
		'## What is left out',
	];
	const missing = [...common, ...parts].filter((part) => !readme.includes(part));
	expect(missing).toEqual([]);
});

test.each([
	['links', /purchase|_Store_|Store Trigger|examples\/store/i],
	['store', /campaign|UTM|alias|Link Management|examples\/links/],
])(
	'the README for %s says nothing of the other service, and has no mark left',
	(service, other) => {
		const lines = readmeOf(service).split('\n');
		const foreign = lines.filter((line) => other.test(line) || line.includes('<!--'));
		expect(foreign).toEqual([]);
	},
);
