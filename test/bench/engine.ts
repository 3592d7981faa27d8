import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

import type { ActiveTrigger } from '../engine/trigger.ts';

/**
 * n8n's own engine in this process, as the engine tests have it. Its packages load as CommonJS only, so whoever imports
 * them is given that.
 */
export async function loadEngine(): Promise<{ ActiveTrigger: typeof ActiveTrigger }> {
	const { resolve } = createRequire(import.meta.url);
	const entries = new Map(
		['n8n-core', 'n8n-workflow'].map((name) => [name, pathToFileURL(resolve(name)).href]),
	);
	registerHooks({
		resolve(specifier, context, next) {
			const url = entries.get(specifier);
			return url === undefined
				? next(specifier, context)
				: { url, format: 'commonjs', shortCircuit: true };
		},
	});
	return await import('../engine/trigger.ts');
}
