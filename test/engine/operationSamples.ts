import type { INodeParameters } from 'n8n-workflow';

import type { Sample } from './operationSample.ts';
import { link } from './operations/link.ts';
import { qrCode } from './operations/qrCode.ts';
import { RECORDS } from './operations/records.ts';
import { STORE } from './operations/store.ts';
import type { NodeSettings, Stage, StageResult } from './support.ts';

/** Every operation of both nodes. */
export type OperationSample = Sample & {
	node: 'link' | 'store';
	/** `campaign.create` */
	name: string;
};

export const OPERATION_SAMPLES: OperationSample[] = [
	...samplesOf('link', { ...RECORDS, link, qrCode }),
	...samplesOf('store', STORE),
];

function samplesOf(
	node: OperationSample['node'],
	resources: Record<string, Record<string, Sample>>,
): OperationSample[] {
	return Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([operation, sample]) => ({
			...sample,
			node,
			name: `${resource}.${operation}`,
		})),
	);
}

/** Runs an operation on these rows. */
export async function runSample(
	stage: Stage,
	{ node, name: operation, parameters }: Pick<OperationSample, 'node' | 'name' | 'parameters'>,
	{ parameters: changes, ...settings }: NodeSettings & { parameters?: INodeParameters } = {},
): Promise<StageResult> {
	return await stage[node](operation, { ...parameters, ...changes }, settings);
}
