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

/** It has the empty name, too, because a row that was just added has no name yet. */
const COUNTRIES = JSON.stringify(`||${COUNTRY_NAMES.join('|')}|`.toLowerCase());

/** The documented requests a minute, which are the credential's default: a hint cannot read the credential. */
const LIMIT = 30;

/** How many input items there are, as far as is known before a run. `$input` throws if there are none. */
const ITEMS = '(() => { try { return $input.all().length; } catch { return 0; } })()';

/** A hint cannot compute its text, so there is one for each of these numbers of minutes. */
const MINUTES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 45, 60];

const durations = MINUTES.map((minutes, index) => {
	const most = minutes * LIMIT;
	const least = (MINUTES[index - 1] ?? 1) * LIMIT;
	return hint(
		'beforeExecution',
		`${ITEMS} > ${least} && ${ITEMS} <= ${most}`,
		`Up to ${most} items take about ${minutes} minutes at ${LIMIT} requests a minute`,
	);
});

/** Shown in the output pane: what takes more requests than it seems, and values that may not be meant so. */
export const HINTS: NodeHint[] = [
	...durations,
	hint(
		'beforeExecution',
		`${ITEMS} > ${60 * LIMIT}`,
		`More than ${60 * LIMIT} items take more than an hour at ${LIMIT} requests a minute`,
	),
	hint(
		'beforeExecution',
		'$parameter["returnAll"] === true',
		'Return All sends one request for every 100 records. At 30 requests per minute, 10,000 records take more than three minutes.',
	),
	hint(
		'beforeExecution',
		'$parameter["returnAll"] === false && Object.keys($parameter["filters"] ?? {}).length > 0',
		'The API cannot filter, so the list is read until Limit is reached, or to its end: one request for every 100 records.',
	),
	hint(
		'beforeExecution',
		'$parameter["resource"] === "link" && $parameter["operation"] === "update" && !$parameter["updateFields"]?.["url"]',
		'Without a new URL each update takes two requests, because the API wants the long URL and the node reads it first',
	),
	hint(
		'always',
		`/^(\\/|~|file:|[a-z]:|\\\\)/i.test(${ADDED}["logo"] ?? "")`,
		'The logo is a path on the machine of the link service, not on yours. If the service does not have the file there, enter the address of a picture.',
	),
	hint(
		'always',
		`(${ADDED}["geoTargets"]?.target ?? []).some(({ location }) => !${COUNTRIES}.includes("|" + String(location?.value ?? "").toLowerCase() + "|"))`,
		'A location of the geo targets is not the English name of a country. It is sent as it is; the service may know it by another name.',
	),
	hint(
		'beforeExecution',
		'$parameter["resource"] === "qrCode" && ["email", "sms", "wifi", "vcard"].includes($parameter["qrType"]) && $parameter["dataMode"] !== "json"',
		'The API does not say how the content of e-mail, SMS, Wi-Fi and contact codes has to look. If your service does not take the form that is sent, specify the content using JSON.',
	),
];
