import { extract } from 'tar';

import { OPERATIONS } from '../../operations.ts';
import { inTurns, median } from '../compare.ts';
import type { Section } from '../section.ts';
import { loadTime, nearestNodes, packageIn, sizesOf } from '../weigh.ts';

const OTHERS = 3;
const ROUNDS = 9;
const BYTES_PER_KB = 1000;

/** Nothing is promised of it. */
export const weight: Section<never> = {
	title: 'Weight',
	targets: {},
	async run(bench) {
		const install = await bench.install();
		const folder = await bench.folder('weight');
		await extract({ file: await bench.tarball(), cwd: folder, strip: 1 });
		const operations = OPERATIONS.length;
		const ours = await packageIn(folder, operations);
		const all = [ours, ...(await nearestNodes(install, operations, OTHERS))];
		const times = await inTurns(
			ROUNDS,
			all.map((nodes) => async () => await loadTime(install, nodes)),
		);
		const scratch = await bench.folder('packed');
		const rows = [];
		for (const [index, nodes] of all.entries()) {
			const { bytes, packedBytes } = await sizesOf(nodes, scratch);
			rows.push([
				nodes.name,
				nodes.operations,
				...[packedBytes, bytes].map((size) => (size / BYTES_PER_KB).toFixed(0)),
				nodes.files.length,
				nodes.classes.length,
				median(times[index] ?? []).toFixed(1),
			]);
		}
		return {
			notes: [
				`Beside the ${OTHERS} nodes of n8n's own package that are nearest in the number of their operations (of those in one ` +
					'version only), each with its trigger and credentials, and without source maps, of which ours has none. Of ours ' +
					'that is all that is published. The time is that to load all classes in a new process that has loaded ' +
					`n8n-core and n8n-workflow before; the median of ${ROUNDS}, in turns.`,
			],
			tables: [
				{
					head: [
						'Nodes',
						'Operations',
						'Packed, kB',
						'Unpacked, kB',
						'Files',
						'Classes',
						'Load, ms',
					],
					rows,
				},
			],
			outcomes: {},
			wrong: [],
		};
	},
};
