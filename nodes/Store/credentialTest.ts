import type { ServiceCredential } from '../shared/http/credential';
import type { Send } from '../shared/http/service';
import { Failure, fieldFailure, toFailure } from '../shared/values/failure';
import { checkCode } from './codeVerdict';
import { parsePurchaseCode } from './purchaseCode';
import { askForAccount } from './records';

/** Asks for the account, and for the known code, if there is one: the account may accept a key that a POST has in another place. */
export async function testKey(credential: ServiceCredential, send: Send): Promise<void> {
	await askForAccount(send);
	if (credential.knownValidCode === undefined) return;
	const code = knownCode(credential.knownValidCode);
	const verdict = await checkCode(code, send, credential).catch((error: unknown) => {
		const failure = toFailure(error);
		// The words of the store may repeat the code, which is kept secret.
		if (failure.mayBeRefusal || failure.kind === 'unauthorized') return undefined;
		throw failure;
	});
	if (verdict?.purchase) return;
	throw new Failure({
		kind: 'refused',
		message:
			"The store accepts the API key for its account, but refuses the 'Known Valid Code' of the credential",
		advice:
			"Try the other values of 'Send API Key In'. Or the code was refunded, or belongs to another account",
	});
}

/** @throws Failure that does not repeat what was entered */
function knownCode(entered: string): string {
	try {
		return parsePurchaseCode('Known Valid Code', entered);
	} catch {
		throw fieldFailure('Known Valid Code', 'must be one purchase code');
	}
}
