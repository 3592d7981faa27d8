import type { Connection, Trial } from '../shared/http/connection';
import type { Send } from '../shared/http/connection';
import { Failure, inputFailure, toFailure } from '../shared/values/failure';
import { askForAccount, KEY_PLACES } from './account';
import { checkCode } from './purchase';
import { isAboutCode, purchaseCode } from './purchaseCode';

// Whether the store takes the key: it may answer a wrong key like a wrong code (document: one message per endpoint). Only
// *Known Valid Code* shows that the key is also in the right place of a POST. Without it, the account is asked.

/** @throws Failure if the key is refused, or the store did not say; `unproved` if only the known code is refused */
export async function proveKey(send: Send, connection: Connection): Promise<void> {
	const refusal = await knownCodeRefusal(send, connection);
	if (hasKnownCode(connection) && !refusal) return;
	await askForAccount(send);
	if (!refusal) return;
	const advice =
		'Test the credential: it says whether the key has to go into another place. If not, the code may have been refunded; enter another one';
	throw refusal.with({ advice });
}

/** Proves the key after a code was called invalid. Codes that wait at the same time share one proof. */
export class KeyProof {
	private latest: Promise<void> = Promise.resolve();
	private next: Promise<void> | undefined;

	/** A proof that is under way began too early, so this waits for the next one. @throws Failure as `proveKey` */
	async proved(send: Send, connection: Connection): Promise<void> {
		this.next ??= this.latest
			.catch(() => undefined)
			.then(async () => {
				this.latest = proveKey(send, connection);
				this.next = undefined;
				await this.latest;
			});
		await this.next;
	}
}

/**
 * Tests the credential. If the store refuses the key, or the known code, it tries the known code with the key in the other
 * places; without a known code, it sends the key nowhere but where the user wants it.
 * @throws Failure that names the place where the key works, if there is one
 */
export async function testKey(
	trial: (changes: { apiKeyLocation?: string }) => Trial,
): Promise<void> {
	const chosen = trial({});
	const failure = await failureOf(chosen);
	if (!failure) return;
	for (const [apiKeyLocation, name] of Object.entries(KEY_PLACES)) {
		if (!hasKnownCode(chosen.connection) || !mayBePlace(failure)) break;
		const other = await failureOf(trial({ apiKeyLocation }));
		if (!other) {
			throw inputFailure(
				`The store does not find the API key in the place where the credential sends it, but in: ${name}`,
				`Set Send API Key In to ${name}`,
			);
		}
		if (!mayBePlace(other)) break;
	}
	throw failure;
}

async function failureOf({ connection, send }: Trial): Promise<Failure | undefined> {
	try {
		await askForAccount(send);
		return await knownCodeRefusal(send, connection);
	} catch (error) {
		return toFailure(error);
	}
}

const mayBePlace = ({ kind }: Failure): boolean =>
	['forbidden', 'missing', 'refused', 'unauthorized', 'unproved'].includes(kind);

const hasKnownCode = ({ knownValidCode }: Connection): boolean => knownValidCode !== undefined;

/** Why the store refuses the known code; undefined if it takes it, or if there is none. @throws Failure if it does not say */
async function knownCodeRefusal(send: Send, connection: Connection): Promise<Failure | undefined> {
	if (!hasKnownCode(connection)) return undefined;
	const code = purchaseCode('Known Valid Code', connection.knownValidCode);
	try {
		const { purchase, reason } = await checkCode(code, send, connection);
		return purchase ? undefined : knownCodeRefused(code, reason);
	} catch (error) {
		const failure = toFailure(error);
		if (!isAboutCode(failure)) throw failure;
		return knownCodeRefused(code, failure.message);
	}
}

/** @param words of the store, which may repeat the code */
const knownCodeRefused = (code: string, words: string): Failure =>
	new Failure({
		kind: 'unproved',
		message: `The store takes the API key for its account, but refuses the Known Valid Code of the credential (${words.replaceAll(code, '***')})`,
		advice: 'It may have been refunded, or belong to another account; enter another one',
	});
