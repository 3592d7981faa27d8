import type { Connection, Send, CredentialTrial } from '../shared/http/connection';
import { Failure, fieldFailure, inputFailure, toFailure } from '../shared/values/failure';
import { checkCode } from './codeVerdict';
import { otherSpelling, parsePurchaseCode } from './purchaseCode';
import { askForAccount } from './records';

/** Where the key may go, with the name of it in *Send API Key In*. */
export const KEY_LOCATIONS = {
	body: 'Body',
	form: 'Body (Form)',
	header: 'Header',
	query: 'Query',
} as const;

/** Without a known code, the key goes only where the user wants it. @throws Failure, which names the place that works */
export async function testKey(
	trial: (changes: { apiKeyLocation?: string }) => CredentialTrial,
): Promise<void> {
	const chosen = trial({});
	const isCodeKnown = chosen.connection.knownValidCode !== undefined;
	let failure = await trialFailure(chosen);
	if (!failure) return;
	const first = failure;
	for (const [apiKeyLocation, name] of Object.entries(KEY_LOCATIONS)) {
		if (!isCodeKnown || !mayBeLocation(failure)) break;
		failure = await trialFailure(trial({ apiKeyLocation }));
		if (failure) continue;
		throw inputFailure(
			`The store does not find the API key in the place where the credential sends it, but in: ${name}`,
			`Set 'Send API Key In' to ${name}`,
		);
	}
	const isInNone = isCodeKnown && first.kind === 'unauthorized' && mayBeLocation(failure);
	throw isInNone ? first.with({ advice: WRONG_KEY }) : first;
}

const WRONG_KEY =
	'Check the API key in the credential: the store finds it in none of the places where it can be sent';

async function trialFailure({ connection, send }: CredentialTrial): Promise<Failure | undefined> {
	try {
		await askForAccount(send);
		return await knownCodeRefusal(send, connection);
	} catch (error) {
		return toFailure(error);
	}
}

const mayBeLocation = ({ kind }: Failure): boolean =>
	['forbidden', 'missing', 'refused', 'unauthorized'].includes(kind);

/** Why the store refuses the known code; undefined if it takes it, or if there is none. @throws Failure if it does not say */
async function knownCodeRefusal(send: Send, connection: Connection): Promise<Failure | undefined> {
	if (connection.knownValidCode === undefined) return undefined;
	const code = knownCode(connection.knownValidCode);
	try {
		const { purchase, reason } = await checkCode(code, send, connection);
		return purchase ? undefined : knownCodeRefused(code, reason);
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.mayBeRefusal) throw failure;
		return knownCodeRefused(code, failure.message);
	}
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
			'It may be incomplete, have been refunded, or belong to another account; enter another one',
	});

const withoutCode = (words: string, code: string): string =>
	[code, otherSpelling(code) ?? code].reduce((text, each) => text.replaceAll(each, '***'), words);
