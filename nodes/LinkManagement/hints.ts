import type { NodeHint } from 'n8n-workflow';

import { MAPPED } from '../shared/operations/panelFields';
import { KNOWN_COLUMNS, RESULT_COLUMNS } from './resources/link/columns';

/** The input items, as far as they are known. `$input` throws if there are none. */
const ITEMS = '(() => { try { return $input.all(); } catch { return []; } })()';

const USED_COLUMNS = JSON.stringify([...KNOWN_COLUMNS, ...RESULT_COLUMNS]);

/** Cleans names as `columnName` does. */
const HAS_UNUSED_COLUMN = `${ITEMS}.some(({ json }) => Object.keys(json).some((column) => !${USED_COLUMNS}.includes(column.toLowerCase().replace(/[\\s\\p{Cf}_-]/gu, ""))))`;

/** Shown beside the output, while a workflow is built. It cannot compute its text. */
export const unusedColumnsHint: NodeHint = {
	message:
		'Some columns of the input filled no field. With the option Dry Run, the column unused_columns names them.',
	displayCondition: `={{ $parameter["mappingMode"] === "${MAPPED}" && ${HAS_UNUSED_COLUMN} }}`,
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'afterExecution',
};
