/**
 * `npm run generate` writes what is published or shown for one service alone: the README of its package, made of ../README.md,
 * and the examples, made of those in ../examples. Nobody edits what it writes; a test compares both.
 *
 * Marks in README.md, which no reader sees:
 * - `<!-- links -->` and `<!-- /links -->`, alone in a line, are around what the package for links has and that for the store has not;
 *   `store` and `both` likewise. What is for both stands in README.md only
 * - `<!-- links -->` within a table row or a list item: this row or item
 * - `<!-- links: text -->`: text that only the README of that package shows
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVICES = ['links', 'store'] as const;
type Service = (typeof SERVICES)[number];

const PACKAGE = 'n8n-nodes-linkstore';
const README = 'README.md';

/** The nodes of each service, as their types begin. */
const NODES: Record<Service, string> = { links: 'linkManagement', store: 'store' };

export type Files = Map<string, string>;

const packageOf = (service: Service): string => `${PACKAGE}-${service}`;

/** All files that are generated, by their path. */
export function generatedFiles(): Files {
	const readme = readFileSync(README, 'utf8');
	const files: Files = new Map();
	for (const service of SERVICES) {
		for (const [path, content] of examplesOf(service)) files.set(path, content);
		const path = `packages/${service}/${README}`;
		files.set(path, readmeOf(service, readme, files));
	}
	return files;
}

/** The examples whose nodes are all of this service, with the nodes of its package. */
function examplesOf(service: Service): Files {
	const files: Files = new Map();
	for (const path of globSync('examples/*.json').sort()) {
		const text = readFileSync(path, 'utf8');
		const nodes = text.match(new RegExp(`(?<="${PACKAGE}\\.)\\w+`, 'g')) ?? [];
		if (!nodes.every((node) => node.startsWith(NODES[service]))) continue;
		const renamed = text.replaceAll(`"${PACKAGE}.`, `"${packageOf(service)}.`);
		files.set(path.replace('examples/', `examples/${service}/`), renamed);
	}
	return files;
}

function readmeOf(service: Service, readme: string, files: Files): string {
	const others = ['both', ...SERVICES].filter((name) => name !== service);
	const text = shownTo(service, others, readme)
		.replace(`# ${PACKAGE}\n`, `# ${packageOf(service)}\n`)
		.replaceAll(/\n{3,}/g, '\n\n');
	const anchors = anchorsIn(text);
	const target = (link: string): string => {
		if (/^\w+:/.test(link) || anchors.has(link)) return link;
		if (link.startsWith('#')) return `../../${README}${link}`;
		const own = link.replace(/^examples\/(?=[^/]*\.json$)/, `examples/${service}/`);
		return posix.join('../..', files.has(own) ? own : link);
	};
	return text.replaceAll(/(?<=\]\()[^)\s]+/g, target);
}

/** Without what is marked for others, and without marks. */
function shownTo(service: Service, others: string[], readme: string): string {
	const names = others.join('|');
	return (
		readme
			.replaceAll(new RegExp(`^<!-- (${names}) -->\\n[^]*?^<!-- /\\1 -->\\n`, 'gm'), '')
			.replaceAll(new RegExp(`^<!-- /?${service} -->\\n`, 'gm'), '')
			// An item has the indented lines below it, too.
			.replaceAll(new RegExp(`^.*<!-- (?:${names}) -->.*\\n(?: +\\S.*\\n)*`, 'gm'), '')
			.replaceAll(new RegExp(` *<!-- ${service} -->`, 'g'), '')
			.replaceAll(new RegExp(`<!-- (?:${names}): [^]*? -->\\n?`, 'g'), '')
			.replaceAll(new RegExp(`<!-- ${service}: ([^]*?) -->`, 'g'), '$1')
	);
}

/** The headings, as GitHub and npm make links to them. */
const anchorsIn = (text: string): Set<string> =>
	new Set(
		[...text.matchAll(/^#+ (.+)$/gm)].map(
			([, heading = '']) =>
				`#${heading
					.toLowerCase()
					.replaceAll(/[^\w\s-]/g, '')
					.replaceAll(' ', '-')}`,
		),
	);

function write(files: Files): void {
	for (const service of SERVICES) rmSync(`examples/${service}`, { recursive: true, force: true });
	for (const [path, content] of files) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, content);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write(generatedFiles());
