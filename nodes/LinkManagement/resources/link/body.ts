// Writes the body of a request about a link: parameters, pixels, domain.

import type { IDataObject } from 'n8n-workflow';

import type { RowInput, RowContext } from '../../../shared/operations/operation';
import { Failure, inputFailure, quoted } from '../../../shared/values/failure';
import { idIn, mapIn, pickedValue, recordsIn, textIn } from '../../../shared/values/json';
import {
	isBlank,
	parseLine,
	type ParseValue,
	parseId,
	parseRequiredLine,
} from '../../../shared/values/input';
import { domainsByHost } from '../../serviceLists';
import { bareAddress, hostIn, linkKey } from '../../values/shortUrl';
import { brandedDomain } from './linkRun';
import { withTags } from './utm';

/** Reads rows of `{name, value}`; empty rows are left out. The API replaces all parameters of a link by these. */
export const linkParameters: ParseValue<IDataObject[]> = (_label, parameters) =>
	recordsIn(mapIn(parameters).parameter)
		.filter(({ name, value }) => !isBlank(name) || !isBlank(value))
		.map(({ name, value }) => ({
			name: parseRequiredLine('Parameter Name', name),
			value: isBlank(value) ? '' : parseLine('Parameter Value', value),
		}));

/** Reads the ids of pixels; empty rows are left out. The API replaces all pixels of a link by these. */
export const pixelsOf: ParseValue<number[]> = (label, pixels) =>
	recordsIn(mapIn(pixels).pixel)
		.map(({ pixelId }) => pickedValue(pixelId))
		.filter((id) => !isBlank(id))
		.map((id) => parseId(label, id));

/** The body of a new link, with its tags. @throws Failure if it leads to its own alias */
export function newLinkBody(entered: IDataObject, { baseUrl }: RowInput): IDataObject {
	const body = withTags(entered);
	const { custom, domain } = body;
	if (custom !== undefined)
		requireOtherAddress(body, `${bareAddress(textIn(domain) ?? baseUrl)}/${textIn(custom)}`);
	return body;
}

/** @throws Failure if a link would lead to itself: an export may have the short URL in the column of the long one */
export function requireOtherAddress({ url }: IDataObject, shortUrl: string | undefined): void {
	const address = textIn(url);
	if (address === undefined || shortUrl === undefined) return;
	if (linkKey(address) !== linkKey(shortUrl)) return;
	throw inputFailure(
		`The link would lead to itself: its long URL is ${quoted(address)}`,
		'Enter the address that visitors are to see',
	);
}

/**
 * The body with its domain as the account's list spells it: some services compare texts, and put a link for a domain that they do not
 * know on their own. @throws Failure if the account has others, but not this one
 */
export async function withDomain(body: IDataObject, row: RowContext): Promise<IDataObject> {
	const host = hostIn(body.domain);
	if (host === undefined || host === hostIn(row.session.connection.baseUrl)) return body;
	const domain = await brandedDomain(host, row);
	if (domain !== undefined) return { ...body, domain };
	// An account without a domain of its own has those that all share, which the list may leave out.
	const hasOwn = row.list(domainsByHost).known.some(({ id }) => idIn(id) !== undefined);
	if (!hasOwn) return body;
	throw new Failure({
		kind: 'refused',
		message: `The account has no domain ${host}`,
		advice: 'Check its spelling, or add it in the service',
	});
}
