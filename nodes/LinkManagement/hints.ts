import type { NodeHint } from 'n8n-workflow';

/** What costs more requests than it looks, said beside the fields until the node has run. */
export const HINTS: NodeHint[] = [
	{
		message:
			'Return All sends one request for every 100 records. At 30 requests per minute, 10,000 records take more than three minutes.',
		displayCondition: '={{ $parameter["returnAll"] === true }}',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	},
	{
		message:
			'Without a new URL each update takes two requests, because the API wants the long URL and the node reads it first',
		displayCondition:
			'={{ $parameter["resource"] === "link" && $parameter["operation"] === "update" && !$parameter["updateFields"]?.["url"] }}',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	},
];
