import type { IDataObject } from 'n8n-workflow';

import type { AnswerReader } from './answer';
import { Failure } from './failure';
import { isRecord } from './json';

/** A member that a service's document promises. Failure: it is not there, so another service may have answered. */
export function promisedMember(
	body: IDataObject,
	name: string,
	{ serviceName }: AnswerReader,
): IDataObject {
	const record = body[name];
	if (isRecord(record)) return record;
	throw new Failure({
		kind: 'unreadable',
		message: `The answer of ${serviceName} holds no "${name}"`,
		advice: 'Check the base URL in the credential: another service may answer there',
	});
}
