// Whether a link already has the values of a row, so that Create or Update need not write it.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Send } from '../../../shared/http/connection';
import { labelsOf } from '../../../shared/operations/sentFields';
import { idIn, mapIn, recordsIn, textIn } from '../../../shared/values/json';
import { linkPath } from '../../lists';
import { linkDetails } from '../../records';
import { isAt, leadsTo } from './result';

/** By the member of a body, whether a link has its value. */
type Comparisons = Readonly<
	Record<string, (link: IDataObject, value: IDataObject[string]) => boolean>
>;

/** Compared with the link as the list shows it. */
export const LISTED: Comparisons = {
	url: ({ longurl }, url) => leadsTo(longurl, { url }),
	custom: (link, custom) => isAt(link, { custom }),
	domain: (link, domain) => isAt(link, { domain }),
};

/** Compared with the details of the link, which take a request. */
export const DETAILED: Comparisons = {
	expiry: (link, expiry) => link.expiry === expiry,
	geotarget: ({ location }, targets) => hasTargets(location, 'location', targets),
	devicetarget: ({ device }, targets) => hasTargets(device, 'device', targets),
};

export async function isUpToDate(
	found: IDataObject,
	body: IDataObject,
	send: Send,
): Promise<boolean> {
	const names = Object.keys(body);
	const unlisted = names.filter((name) => !Object.hasOwn(LISTED, name));
	if (unlisted.some((name) => !Object.hasOwn(DETAILED, name))) return false;
	if (!hasValues(found, body, LISTED)) return false;
	if (unlisted.length === 0) return true;
	const id = idIn(found.id);
	if (id === undefined) return false;
	const { body: response } = await send({ method: 'GET', path: linkPath(id) });
	return hasValues(linkDetails(response), body, DETAILED);
}

/** Whether a link has the values of a body, as far as they can be compared. */
const hasValues = (link: IDataObject, body: IDataObject, comparisons: Comparisons): boolean =>
	Object.entries(body).every(([name, value]) => comparisons[name]?.(link, value) ?? true);

/** Whether a map of the details has exactly these targets. @param what the member with the name of a target */
function hasTargets(present: unknown, what: string, targets: unknown): boolean {
	const links = new Map(
		Object.entries(mapIn(present)).map(([name, link]) => [name.toLowerCase(), link]),
	);
	const wanted = recordsIn(targets);
	return (
		wanted.length === links.size &&
		wanted.every((target) =>
			leadsTo(links.get((textIn(target[what]) ?? '').toLowerCase()), { url: target.link }),
		)
	);
}

/** UTM tags are compared as a part of the long URL. */
const COMPARED = ['utm', ...Object.keys(LISTED), ...Object.keys(DETAILED)];

/** The labels of the fields that no response shows. */
export const hiddenLabels = (fields: readonly INodeProperties[]): string =>
	Object.entries(labelsOf(fields))
		.filter(([name]) => !COMPARED.includes(name))
		.map(([, label]) => label)
		.sort()
		.join(', ');
