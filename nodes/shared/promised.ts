import type { IDataObject } from 'n8n-workflow';

import type { AnswerReader } from './answer';
import { Failure } from './failure';
import { isRecord } from './json';

/** A record that a service's document promises. Failure: it is not there, so another service may have answered. */
export function promisedMember(body: IDataObject, name: string, reader: AnswerReader): IDataObject {
	const record = body[name];
	if (isRecord(record)) return record;
	throw missing(name, reader);
}

/** A list that a service's document promises. Failure: as with `promisedMember`. */
export function promisedList(body: IDataObject, name: string, reader: AnswerReader): unknown[] {
	const list: unknown = body[name];
	if (Array.isArray(list)) return list;
	throw missing(name, reader);
}

function missing(name: string, { serviceName }: AnswerReader): Failure {
	return new Failure({
		kind: 'unreadable',
		message: `The answer of ${serviceName} holds no "${name}"`,
		advice: 'Check the base URL in the credential: another service may answer there',
	});
}
