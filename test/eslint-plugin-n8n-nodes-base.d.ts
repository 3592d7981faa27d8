/** The part of the module that is used here; it has no types of its own. */
declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint } from 'eslint';

	const plugin: ESLint.Plugin & { configs: { nodes: { rules: Record<string, string> } } };
	export default plugin;
}
