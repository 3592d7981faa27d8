// The way of a poll for *Balance Changed*.

import type { Poll, PollResult } from '../../shared/triggers/poll';
import { decimalIn, missingMember, requireRecord, textIn } from '../../shared/values/json';
import { ACCOUNT } from '../accountRequest';
import { accountRecord } from '../records';

/** The API's only sign of a sale. The state is the last balance. @throws Failure if the response has none */
export async function changedBalance(poll: Poll): Promise<PollResult> {
	const account = accountRecord(requireRecord((await poll.send(ACCOUNT)).body, 'data'));
	const balance = decimalIn(account.balance);
	if (balance === undefined) throw missingMember('balance');
	const currency = textIn(account.currency) ?? null;
	const known = poll.state?.currency === currency ? decimalIn(poll.state.balance) : undefined;
	const before = known ?? balance;
	// To the most digits that a currency has: 0.1 + 0.2 is not 0.3 to a computer.
	const change = Math.round((balance - before) * 1000) / 1000;
	const record = { balance, balance_before: before, change, currency };
	const records = change === 0 ? [] : [record];
	return {
		records: poll.isTest ? [{ ...record, is_sample: true }] : records,
		state: { balance, currency },
	};
}
