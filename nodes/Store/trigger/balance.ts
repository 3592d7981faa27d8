import type { PollResult } from '../../shared/triggers/pollState';
import type { Poll } from '../../shared/triggers/runPoll';
import { Failure, quoted } from '../../shared/values/failure';
import { decimalIn, missingMember, requireRecord, textIn } from '../../shared/values/json';
import { ACCOUNT } from '../account';

/**
 * The API's only sign of a sale: the balance of the account. The state is the last one.
 * @throws Failure if the response has no balance
 */
export async function changedBalance(poll: Poll): Promise<PollResult> {
	const account = requireRecord((await poll.send(ACCOUNT)).body, 'data');
	const balance = decimalIn(account.balance);
	if (account.balance === undefined) throw missingMember('balance');
	if (balance === undefined) throw unreadableBalance(account.balance);
	const currency = textIn(account.currency) ?? null;
	if (poll.isTest) return { records: [balanceSample(balance, currency)], state: undefined };
	const before = decimalIn(poll.state?.balance);
	// A balance in another currency cannot be compared.
	const isComparable = before !== undefined && poll.state?.currency === currency;
	const records =
		isComparable && before !== balance
			? [{ balance, balance_before: before, change: rounded(balance - before), currency }]
			: [];
	return { records, state: { balance, currency } };
}

const unreadableBalance = (balance: unknown): Failure =>
	new Failure({
		kind: 'unreadable',
		message: `The balance of the account is ${quoted(balance)}, which is not a plain number`,
		advice: 'The trigger needs a number without separators or a currency sign, such as 1020.00',
	});

const balanceSample = (balance: number, currency: string | null) => ({
	balance,
	balance_before: balance,
	change: 0,
	currency,
	is_sample: true,
});

/** To the most digits that a currency has: 0.1 + 0.2 is not 0.3 to a computer. */
const rounded = (amount: number): number => Math.round(amount * 1000) / 1000;
