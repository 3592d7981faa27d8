// Hints that the editor shows beside the output, while a workflow is built.

import type { NodeHint } from 'n8n-workflow';

import { MAPPED } from '../shared/operations/fields';
import { KNOWN_COLUMNS, RESULT_COLUMNS } from './resources/link/columns';

const hint = (
	whenToDisplay: NonNullable<NodeHint['whenToDisplay']>,
	displayCondition: string,
	message: string,
): NodeHint => ({
	message,
	displayCondition: `={{ ${displayCondition} }}`,
	type: 'info',
	location: 'outputPane',
	whenToDisplay,
});

/** The input items, as far as they are known. `$input` throws if there are none. */
const ITEMS = '(() => { try { return $input.all(); } catch { return []; } })()';

const parameterIs = (name: string, value: string): string => `$parameter["${name}"] === "${value}"`;

const USED_COLUMNS = JSON.stringify([...KNOWN_COLUMNS, ...RESULT_COLUMNS]);

/** Cleans names as `columnName` does. */
const HAS_UNUSED_COLUMN = `${ITEMS}.some(({ json }) => Object.keys(json).some((column) => !${USED_COLUMNS}.includes(column.toLowerCase().replace(/[\\s\\p{Cf}_-]/gu, ""))))`;

/** A hint cannot compute its text. */
export const HINTS: NodeHint[] = [
	hint(
		'afterExecution',
		`${parameterIs('mappingMode', MAPPED)} && ${HAS_UNUSED_COLUMN}`,
		'Some columns of the input filled no field. With the option Dry Run, the column unused_columns names them.',
	),
	hint(
		'beforeExecution',
		'$parameter["resource"] === "qrCode" && ["email", "sms", "wifi", "vcard"].includes($parameter["qrType"]) && $parameter["dataMode"] !== "json"',
		'Scan one code before you print it. The API does not document the content of email, SMS, Wi-Fi and contact codes: if yours does not work, set Specify Content to Using JSON.',
	),
];
