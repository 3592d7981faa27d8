// Reads the details of new records, each once; if they fail, once more in the next poll.

import type { IDataObject } from 'n8n-workflow';

import type { Poll } from '../../shared/triggers/poll';
import { type Failure, toFailure } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';
import type { Details } from '../serviceLists';

export class DetailsReader {
	/** The ID of the record whose details got no response; the next poll goes on with it. */
	failedId: number | undefined;

	constructor(
		private readonly poll: Poll,
		private readonly details: Details,
	) {}

	/** The record with its details, or with the reason why it has none. @throws Failure if the poll has to end */
	async complete(record: IDataObject): Promise<IDataObject> {
		const id = idIn(record.id) ?? 0;
		try {
			const { body } = await this.poll.send({ method: 'GET', path: this.details.path(id) });
			return { ...record, ...this.details.recordIn(body), id };
		} catch (error) {
			const failure = toFailure(error);
			if (failure.consequences.endsPoll) throw failure;
			if (this.deservesRetry(failure, id)) {
				this.failedId = id;
				throw failure.with({ kind: 'outOfTime' });
			}
			return { ...record, details_error: failure.message };
		}
	}

	/** In the next poll, once. */
	private deservesRetry({ consequences }: Failure, id: number): boolean {
		const { isTest, state } = this.poll;
		return consequences.isOutage === 'any' && !isTest && state?.failedId !== id;
	}
}
