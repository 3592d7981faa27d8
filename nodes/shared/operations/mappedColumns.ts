// Types for Map Automatically. Which columns fill which fields is in LinkManagement/resources/link/columns.ts.

import type { IDataObject } from 'n8n-workflow';

export interface MappedColumns {
	/** All columns of the row that can fill a field, as the row has them. */
	names: readonly string[];
	/** Those with a value, by what they fill, such as a member of the body. */
	cells: ReadonlyMap<string, Cell>;
}

export interface Cell {
	/** The name of its column, as the row has it. */
	column: string;
	value: IDataObject[string];
}

/** As errors name it. */
export const columnLabel = ({ column }: Cell): string => `Column "${column}"`;
