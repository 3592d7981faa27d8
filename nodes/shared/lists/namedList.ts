// A list whose records are found by their names, and what is said if a name does not mean one of them.

import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../http/service';
import { Failure } from '../values/failure';
import { idIn } from '../values/json';
import { normalized, visibleText } from '../values/text';
import type { ListSource, Page } from './pages';

/**
 * What a service responds to a request for one record: the record; if it cannot look one up, maybe page 1 of the list; undefined if it
 * has no such record.
 */
export type LookedUp = { record: IDataObject } | { page?: Page } | undefined;

export interface NamedList {
	source: ListSource;
	/** What messages call a record: `link`. */
	what: string;
	recordOf?(entry: IDataObject): IDataObject;
	/** The names of a record, and a text that was entered, in the form in which both are compared. */
	names: (record: IDataObject) => string[];
	nameOf: (text: string) => string;
	/** What fields call the mode in which a name is entered. Default: `By Name`. */
	nameMode?: string;
	isUnique?(name: string): boolean;
	label: (record: IDataObject) => string;
	/** Asks for the record of one name, in a way that costs no request where the service ignores it. */
	lookUp?: (name: string, send: Send, base: string) => Promise<LookedUp>;
}

/** The usual form of a name: browsers show several spaces as one. */
export const nameKey = (name: string): string => normalized(visibleText(name).replace(/\s+/g, ' '));

/** @throws Failure if there are several */
export function singleRecord(
	{ what, label, ...list }: NamedList,
	text: string,
	records: readonly IDataObject[],
): IDataObject | undefined {
	if (records.length < 2) return records[0];
	const labels = records.map((record) => `${label(record)} (ID ${idIn(record.id)})`);
	throw refused(
		`${records.length} ${what}s are called "${text}": ${labels.join(', ')}`,
		list.isUnique
			? 'Pick it by its ID or its short URL, or enter its domain'
			: 'Pick it by its ID, or rename the others in the service',
	);
}

/** That no record has a name. @param withId the record whose ID it is @param similar one whose name differs in case */
export function noRecord(
	{ what, label, names }: NamedList,
	text: string,
	withId: IDataObject | undefined,
	similar: IDataObject | undefined,
): Failure {
	const message = `There is no ${what} "${text}"`;
	if (withId) {
		const advice = 'Enter its name, or pick it by its ID';
		return refused(`${message}, but ${label(withId)} has this ID`, advice);
	}
	return refused(
		message,
		similar
			? `Did you mean "${names(similar)[0]}"? Enter it exactly as in the service`
			: 'Check its spelling; it may have been deleted, or belong to another account',
	);
}

export const refused = (message: string, advice: string): Failure =>
	new Failure({ kind: 'refused', message, advice });
