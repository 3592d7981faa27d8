// Hints that the editor shows beside the output, while a workflow is built.

import type { NodeHint } from 'n8n-workflow';

import { MAPPED } from '../shared/operations/fields';
import { KNOWN_COLUMNS } from './resources/link/columns';
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

/** The names of the input's columns, as `columnName` writes them. */
const INPUT_COLUMNS =
	'(() => { try { return [...new Set($input.all().flatMap(({ json }) => Object.keys(json)))].map((column) => column.toLowerCase().replace(/[\\s_-]/g, "")); } catch { return []; } })()';

/** A shorter name is nearly that of too many columns. */
const SHORTEST_NAME = 5;

/** What a name is with more behind it, or with one letter too many, too few or another one. */
const nearly = (name: string): string[] => [
	`${name}.+`,
	...Array.from(
		{ length: name.length < SHORTEST_NAME ? 0 : name.length },
		(_letter, at) => `${name.slice(0, at)}.{0,2}${name.slice(at + 1)}`,
	),
];

const NEARLY_ALL = [...KNOWN_COLUMNS].flatMap(nearly).join('|');

/** Such a column may mean something else, so it does not stop a run. */
const HAS_NEAR_COLUMN = `((ignored) => ${INPUT_COLUMNS}.some((name) => !${JSON.stringify([...KNOWN_COLUMNS])}.includes(name) && !ignored.includes(name) && /^(?:${NEARLY_ALL})$/.test(name)))(String($parameter["options"]?.["ignoredColumns"] ?? "").toLowerCase().replace(/[ \\t_-]/g, "").split(/[,\\n]/))`;

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
		`${parameterIs('mappingMode', MAPPED)} && ${HAS_NEAR_COLUMN}`,
		'A column whose name is nearly that of a field, such as Expiry Date for Expiry, fills no field. Compare the names with the list below Mapping Mode, or enter the column under Columns to Ignore',
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
