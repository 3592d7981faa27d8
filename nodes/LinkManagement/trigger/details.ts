// Reads the details of a record, such as the targeting and the statistics of a link.

import type { IDataObject } from 'n8n-workflow';

import type { Poll } from '../../shared/triggers/poll';
import type { Details } from '../lists';

/** @throws Failure if they cannot be read */
export async function readDetails(poll: Poll, id: number, details: Details): Promise<IDataObject> {
	const { body } = await poll.send({ method: 'GET', path: details.path(id) });
	return { ...details.recordIn(body), id };
}
