import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What only all files together show: circles of imports, and what stays in memory between runs. */

const ROOT = resolve(__dirname, '../..');
const SHIPPED = globSync('{nodes,credentials}/**/*.ts', { cwd: ROOT });
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The files that a file imports by a relative path, but for types alone. */
const importsOf = (file: string): string[] =>
	[...textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)].map(
		([, path = '']) => {
			const target = join(dirname(file), path.replace(/\.ts$/, ''));
			return existsSync(join(ROOT, `${target}.ts`)) ? `${target}.ts` : join(target, 'index.ts');
		},
	);

/** The first circle that a walk from a file comes back to. */
function circleFrom(file: string, done: Set<string>, way: readonly string[] = []): string[] {
	if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
	if (done.has(file)) return [];
	done.add(file);
	for (const next of importsOf(file)) {
		const circle = circleFrom(next, done, [...way, file]);
		if (circle.length > 0) return circle;
	}
	return [];
}

test.each(['nodes/**/*.ts', 'sandbox/**/*.ts'])('the files of %s import no circle', (files) => {
	const done = new Set<string>();
	const circles = globSync(files, { cwd: ROOT }).map((file) => circleFrom(file, done).join(' → '));
	expect(circles.filter(Boolean)).toEqual([]);
});

test('what a module remembers has its name in CONTRIBUTING.md, with what forgets it', () => {
	const memory = /^(?:export )?(?:const (\w+).* = new (?:Weak)?(?:Map|Set)\b.*\(\)|let (\w+))/gm;
	const held = SHIPPED.flatMap((file) =>
		[...textOf(file).matchAll(memory)].map(([, name, variable]) => name ?? variable ?? ''),
	);
	expect(held.length).toBeGreaterThan(3);
	const rules = textOf('CONTRIBUTING.md')
		.split('At module level stand only')[1]
		?.split('\n- **')[0];
	const missing = held.filter((name) => rules?.includes(`\`${name}\``) !== true);
	expect(missing).toEqual([]);
});
