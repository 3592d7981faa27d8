import type { NodeTypeSummary } from '../n8n-host/client.ts';
import { list, optionalText, record } from '../n8n-host/json.ts';

/** What n8n says that a node offers: an operation, or an event of a trigger. */
export interface Offered {
	/** Of an operation */
	resource: unknown;
	value: string;
	/** As the node panel shows it */
	label: string;
}

export function offeredBy({ name, description }: NodeTypeSummary): Offered[] {
	const parameter = name.endsWith('Trigger') ? 'event' : 'operation';
	return list(description.properties)
		.map(record)
		.filter((property) => property.name === parameter)
		.flatMap(({ displayOptions, options }) => {
			const [resource] = list(record(record(displayOptions).show).resource);
			return list(options)
				.map(record)
				.map((option) => ({
					resource,
					value: String(option.value),
					label: optionalText(option.action) ?? `On ${String(option.name)}`,
				}));
		})
		.filter(({ value }) => value !== NOT_OURS);
}

/** n8n offers this with every node: it points to the HTTP Request node. */
const NOT_OURS = '__CUSTOM_API_CALL__';
