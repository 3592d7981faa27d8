import type { IDataObject } from 'n8n-workflow';

import { isRecord, mapIn, recordsIn, textIn } from '../../../shared/values/json';
import type { ItemContext } from '../../../shared/operations/operation';
import { readId } from '../../../shared/values/path';
import { serviceDatetime } from '../../../shared/values/dateTime';
import { requiredText, requiredWebAddress, webAddress } from '../../../shared/values/text';

/** How the ID of a page is written in `type`, which the API document leaves open; `*` stands for it. */
const PAGE_ID_FORMATS = { customSplash: '*', overlay: 'overlay-*' } as const;

/** The UTM parameters, as the field names them. */
const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;

type Value = IDataObject[string];

/**
 * The body of a link's create or update (document: "Short link (add and update)"), from what the fields' routing put
 * into it. Only members that are there are sent: a field that the user did not add is not touched.
 * @param collection the parameter that holds the fields that the user added
 */
export function linkBody(
	body: IDataObject,
	collection: string,
	{ read, zones }: ItemContext,
): IDataObject {
	const fields = mapIn(read(collection));
	const changes: Record<string, (value: Value) => Value> = {
		type: (type) => redirectType(type, fields),
		expiry: (expiry) => serviceDatetime('Expiry', expiry, zones),
		geotarget: (targets) => targetList(targets, 'location'),
		devicetarget: (targets) => targetList(targets, 'device'),
		languagetarget: (targets) => targetList(targets, 'language'),
		metaimage: (image) => webAddress('Meta Image', image),
	};
	const changed = Object.entries(body).map(
		([name, value]) => [name, changes[name]?.(value) ?? value] as const,
	);
	return { ...Object.fromEntries(changed), ...appendedParameters(fields) };
}

/** `type` names a redirect, or the page to show before it. */
function redirectType(type: Value, fields: IDataObject): Value {
	const format = textIn(fields.pageIdFormat);
	if (type === 'customSplash') {
		const id = readId('splashPageId', pickedValue(fields.splashPageId));
		return pageId(format ?? PAGE_ID_FORMATS.customSplash, id);
	}
	if (type === 'overlay') {
		const id = readId('ctaOverlayId', pickedValue(fields.ctaOverlayId));
		return pageId(format ?? PAGE_ID_FORMATS.overlay, id);
	}
	return type;
}

const pageId = (format: string, id: number): string => format.replaceAll('*', String(id));

/** Rows of `{<what>, link}`; a row that the user left empty is none. */
function targetList(targets: Value, what: string): IDataObject[] {
	return recordsIn(mapIn(targets).target)
		.map((row) => ({ [what]: pickedValue(row[what]), link: row.link }))
		.filter((row) => Object.values(row).some((value) => value !== '' && value !== undefined))
		.map((row) => ({
			[what]: requiredText(`The ${what} of a target`, row[what]),
			link: requiredWebAddress('The link of a target', row.link),
		}));
}

/** Locators inside a collection come as n8n stores them. */
function pickedValue(value: Value): Value {
	return isRecord(value) ? value.value : value;
}

/** `parameters`: the pairs, then the UTM ones. Not sent if the user added neither field. */
function appendedParameters({ parameters, utm }: IDataObject): IDataObject {
	if (parameters === undefined && utm === undefined) return {};
	const pairs = recordsIn(mapIn(parameters).parameter)
		.filter(({ name, value }) => name !== '' || value !== '')
		.map(({ name, value }) => ({ name: requiredText('The name of a parameter', name), value }));
	const given = mapIn(utm);
	const utmPairs = UTM_NAMES.filter((name) => textIn(given[name])).map((name) => ({
		name: `utm_${name}`,
		value: given[name],
	}));
	return { parameters: [...pairs, ...utmPairs] };
}
