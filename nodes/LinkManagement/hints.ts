// Hints that the editor shows beside the output, while a workflow is built.

import type { NodeHint } from 'n8n-workflow';

import { COUNTRY_NAMES } from './suggestions';

const hint = (
	whenToDisplay: 'always' | 'beforeExecution',
	displayCondition: string,
	message: string,
): NodeHint => ({
	message,
	displayCondition: `={{ ${displayCondition} }}`,
	type: 'info',
	location: 'outputPane',
	whenToDisplay,
});

/** The optional fields that the user added, on a create or on an update. */
const ADDED = '($parameter["additionalFields"] ?? $parameter["updateFields"] ?? {})';

/** Includes the empty name, because a new row has no name yet. */
const COUNTRY_LIST = JSON.stringify(`||${COUNTRY_NAMES.join('|')}|`.toLowerCase());

/** The documented requests a minute, which are the credential's default: a hint cannot read the credential. */
const LIMIT = 30;

/** How many input items there are, as far as is known before a run. `$input` throws if there are none. */
const ITEMS = '(() => { try { return $input.all().length; } catch { return 0; } })()';

/** For fewer items, a run is too short for a hint. */
const FROM = 15;

const parameterIs = (name: string, value: string): string => `$parameter["${name}"] === "${value}"`;
const IS_LINK_UPDATE_WITHOUT_URL = `${parameterIs('resource', 'link')} && ${parameterIs('operation', 'update')} && !$parameter["updateFields"]?.["url"]`;

/** The most requests that an item takes: a link may be read before its update, or assigned and given a QR code after it was created. */
const PER_ITEM = `1 + Number(${IS_LINK_UPDATE_WITHOUT_URL}) + Object.keys($parameter["additionalFields"] ?? {}).filter((name) => ["campaignId", "channelId", "createQrCode"].includes(name)).length`;

/** A hint cannot compute its text, so there is one for each of these numbers of minutes. */
const DURATIONS: ReadonlyArray<readonly [minutes: number, words: string]> = [
	[1, 'up to a minute'],
	...[2, 3, 4, 5, 7, 10, 15, 20, 30, 45].map(
		(minutes) => [minutes, `up to ${minutes} minutes`] as const,
	),
	[60, 'up to an hour'],
	...[2, 4, 8, 24].map((hours) => [hours * 60, `up to ${hours} hours`] as const),
	[Infinity, 'more than a day'],
];

const durations = DURATIONS.map(([minutes, words], index) => {
	const least = (DURATIONS[index - 1]?.[0] ?? 0) * LIMIT;
	return hint(
		'beforeExecution',
		`${ITEMS} >= ${FROM} && ((requests) => requests > ${least} && requests <= ${minutes * LIMIT})(${ITEMS} * (${PER_ITEM}))`,
		`The input items take ${words} at ${LIMIT} requests per minute`,
	);
});

/** Shown in the output pane: what takes long, and values that may be mistakes. */
export const HINTS: NodeHint[] = [
	...durations,
	hint(
		'beforeExecution',
		`${ITEMS} > 1 && ${IS_LINK_UPDATE_WITHOUT_URL}`,
		'If you know the long URLs, add the URL field. Otherwise the node reads each link first, because every update needs its URL',
	),
	hint(
		'always',
		`/^(\\/|~|file:|[a-z]:|\\\\)/i.test(${ADDED}["logo"] ?? "")`,
		'The logo looks like a file path. Enter the web address of a picture, unless the file is on the server of the service',
	),
	hint(
		'always',
		`(${ADDED}["geoTargets"]?.target ?? []).some(({ location }) => !${COUNTRY_LIST}.includes("|" + String(location?.value ?? "").toLowerCase() + "|"))`,
		'Use English country names for geo targets, such as Germany. The service may not know other names',
	),
	hint(
		'beforeExecution',
		'$parameter["resource"] === "qrCode" && ["email", "sms", "wifi", "vcard"].includes($parameter["qrType"]) && $parameter["dataMode"] !== "json"',
		'Scan one code before you print it. The API does not document the content of email, SMS, Wi-Fi and contact codes: if yours does not work, set Specify Content to Using JSON.',
	),
];
