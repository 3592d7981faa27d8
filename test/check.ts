/**
 * `npm test`, after the build: lint, types and Jest side by side. What each says comes as one piece, and Jest's summary last.
 *
 *     npm test -- [options of Jest]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { npmCommand } from './n8n-host/project.ts';

interface Step {
	name: string;
	/** Prints what it has said and goes on saying. @returns whether it succeeded */
	show: () => Promise<boolean>;
}

function begin(name: string, command: string, args: string[]): Step {
	const child = spawn(command, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
	});
	const closed = once(child, 'close');
	const said: Buffer[] = [];
	let say = (chunk: Buffer): void => void said.push(chunk);
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => say(chunk));
	}
	return {
		name,
		async show() {
			process.stdout.write(Buffer.concat([Buffer.from(`\n--- ${name}\n`), ...said]));
			say = (chunk) => process.stdout.write(chunk);
			await closed;
			return child.exitCode === 0;
		},
	};
}

const npm = npmCommand();
const script = (name: string): Step =>
	begin(name, npm.command, [...npm.args, 'run', '--silent', name]);

const node = (name: string, ...args: string[]): Step => begin(name, process.execPath, args);

const steps = [
	script('lint'),
	// The build has checked the package itself.
	node('types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/tsconfig.json'),
	node('jest', 'node_modules/jest/bin/jest.js', ...process.argv.slice(2)),
];

const failed: string[] = [];
for (const { name, show } of steps) {
	if (!(await show())) failed.push(name);
}
if (failed.length > 0) {
	process.stderr.write(`\nFailed: ${failed.join(', ')}\n`);
	process.exitCode = 1;
}
