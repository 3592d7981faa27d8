// Tells whose a key is: a new key or a new address of the same account keeps the state of a trigger.

import type { Connection, Send } from '../http/connection';
import { toFailure } from '../values/failure';
import { isBlank } from '../values/input';
import { mapIn } from '../values/json';

/** Members of an account that do not change, in either service. */
const LASTING = ['id', 'username', 'registered'];

/** Kinds of failure that another request may not have, though this one has it again and again. */
const REFUSALS = ['forbidden', 'missing', 'noAccess', 'otherRefusal', 'refused', 'unauthorized'];

/** What identifies the account; undefined if the key may not read it. @throws Failure if the service does not answer */
export async function accountOf(
	send: Send,
	{ service }: Connection,
): Promise<unknown[] | undefined> {
	try {
		const { body } = await send({ method: 'GET', path: service.testPath });
		const account = mapIn(body.data);
		const members = LASTING.map((name) => account[name]);
		const identity = members.every(isBlank) ? [account.email] : members;
		return identity.every(isBlank) ? undefined : identity;
	} catch (error) {
		const failure = toFailure(error);
		if (REFUSALS.includes(failure.kind)) return undefined;
		throw failure;
	}
}
