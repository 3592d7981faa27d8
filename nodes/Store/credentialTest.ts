import type { CredentialTrial } from '../shared/http/connection';
import { Failure, fieldFailure, toFailure } from '../shared/values/failure';
import { checkCode } from './codeVerdict';
import { otherSpelling, parsePurchaseCode } from './purchaseCode';
import { askForAccount } from './records';

/** Asks for the account, and for the known code, if there is one: the account may accept a key that a POST has in another place. */
export async function testKey({ connection, send }: CredentialTrial): Promise<void> {
	await askForAccount(send);
	if (connection.knownValidCode === undefined) return;
	const code = knownCode(connection.knownValidCode);
	const { purchase, reason } = await checkCode(code, send, connection).catch((error: unknown) => {
		const failure = toFailure(error);
		if (!failure.mayBeRefusal && failure.kind !== 'unauthorized') throw failure;
		return { purchase: undefined, reason: failure.message };
	});
	if (!purchase) throw knownCodeRefused(code, reason);
}

/** @throws Failure that does not repeat what was entered: it is kept secret */
function knownCode(entered: string): string {
	try {
		return parsePurchaseCode('Known Valid Code', entered);
	} catch {
		throw fieldFailure('Known Valid Code', 'must be one purchase code', 'Enter only the code');
	}
}

/** @param words of the store, which may repeat the code */
const knownCodeRefused = (code: string, words: string): Failure =>
	new Failure({
		kind: 'refused',
		message: `The store takes the API key for its account, but refuses the 'Known Valid Code' of the credential (${withoutCode(words, code)})`,
		advice:
			"Try the other values of 'Send API Key In'. Or the code was refunded, or belongs to another account",
	});

const withoutCode = (words: string, code: string): string =>
	[code, otherSpelling(code) ?? code].reduce((text, each) => text.replaceAll(each, '***'), words);
