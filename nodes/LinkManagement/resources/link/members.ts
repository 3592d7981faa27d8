// The members of a link's body, a line each: who shows one, when two are equal, and what becomes of it in an update, because services
// may empty what an update does not send. A test asks for the line of each field.

import type { IDataObject } from 'n8n-workflow';

import { isRecord, mapIn, recordsIn, textIn } from '../../../shared/values/json';
import { decodeEntities } from '../../../shared/values/text';
import { inZone } from '../../values/dateTime';
import { canonicalUrl, leadsTo } from '../../values/longUrl';
import { aliasIn, aliasKey } from '../../values/shortUrl';
import { domainOf } from './body';
import { withDetails } from './findLink';
import type { LinkRow } from './linkRow';

type Value = IDataObject[string];

interface Member {
	/** What is in the key of a link is the same, so it is not compared. */
	shownBy: 'details' | 'key' | 'list' | 'nothing';
	/** Whether a link has what a body says of a member that is shown. */
	isSame?: (link: IDataObject, body: IDataObject) => boolean;
	/** What an update sends, so that the link keeps it; undefined if it has none. */
	sentBack?: (link: IDataObject, row: LinkRow) => Promise<Value> | Value;
	/** What people call a member that an update may empty, because nothing shows it. */
	lost?: string;
}

export const LINK_MEMBERS: Readonly<Record<string, Member>> = {
	url: { shownBy: 'list', isSame: ({ longurl }, body) => leadsTo(longurl, body) },
	custom: { shownBy: 'key' },
	domain: { shownBy: 'key', sentBack: domainOf },
	metatitle: { shownBy: 'list', isSame: sameText('title', 'metatitle') },
	metadescription: { shownBy: 'list', isSame: sameText('description', 'metadescription') },
	campaign: {
		shownBy: 'list',
		isSame: (link, body) => link.campaign === body.campaign,
		sentBack: ({ campaign }) => campaign,
	},
	channel: { shownBy: 'list', isSame: (link, body) => link.channel === body.channel },
	expiry: { shownBy: 'details', isSame: sameText('expiry', 'expiry'), sentBack: expiryAhead },
	geotarget: targets('geotarget', 'location'),
	devicetarget: targets('devicetarget', 'device'),
	languagetarget: { shownBy: 'nothing', lost: 'language targets' },
	parameters: { shownBy: 'nothing', lost: 'parameters' },
	password: { shownBy: 'nothing', lost: 'password' },
	pixels: { shownBy: 'nothing', lost: 'pixels' },
	description: { shownBy: 'nothing', lost: 'note' },
	metaimage: { shownBy: 'nothing' },
	status: { shownBy: 'nothing' },
	type: { shownBy: 'nothing' },
};

/** What an update may empty, in words. */
export const LOST_MEMBERS: string = Object.values(LINK_MEMBERS)
	.flatMap(({ lost }) => lost ?? [])
	.join(', ');

/** The names of what an update would change, or may change because nothing shows it. Reads the details if the list cannot tell. */
export async function changedMembers(
	link: IDataObject,
	body: IDataObject,
	row: LinkRow,
): Promise<string[]> {
	const names = Object.keys(body);
	const shownBy = names.map((name) => LINK_MEMBERS[name]?.shownBy ?? 'nothing');
	const needsDetails = shownBy.includes('details') && !shownBy.includes('nothing');
	const shown = needsDetails ? await withDetails(link, row) : link;
	return names.filter((name) => LINK_MEMBERS[name]?.isSame?.(shown, body) !== true);
}

/** What an update has to send so that the link keeps it, without what the body says itself. */
export async function sentBack(
	link: IDataObject,
	body: IDataObject,
	row: LinkRow,
): Promise<IDataObject> {
	const kept: IDataObject = {};
	for (const [name, member] of Object.entries(LINK_MEMBERS)) {
		const value = name in body ? undefined : await member.sentBack?.(link, row);
		if (value !== undefined && value !== null) kept[name] = value;
	}
	return kept;
}

/** Whether a link has the alias of a body already. */
export function hasAlias({ alias, shorturl }: IDataObject, { custom }: IDataObject): boolean {
	const asked = textIn(custom) ?? '';
	return [textIn(alias), aliasIn(shorturl, asked)].some(
		(present) => present !== undefined && aliasKey(present) === aliasKey(asked),
	);
}

/** Services trim texts, and write line breaks and entities in their own way. */
function sameText(shownAs: string, property: string): Required<Member>['isSame'] {
	const usual = (text: unknown): string =>
		decodeEntities(textIn(text) ?? '')
			.replace(/\s+/g, ' ')
			.trim();
	return (link, body) => usual(link[shownAs]) === usual(body[property]);
}

/** A service refuses one that is over. */
function expiryAhead({ expiry }: IDataObject, { zones }: LinkRow): Value {
	const text = textIn(expiry);
	return text !== undefined && text > inZone(Date.now(), zones().to) ? text : undefined;
}

/** @param what the member of the details, and that of a target beside `link` */
function targets(property: string, what: string): Member {
	const comparable = (list: IDataObject[]) =>
		list
			.map((target) => [
				textIn(target[what])?.toLowerCase(),
				canonicalUrl(textIn(target.link) ?? ''),
			])
			.sort();
	return {
		shownBy: 'details',
		isSame: (link, body) =>
			JSON.stringify(comparable(recordsIn(body[property]))) ===
			JSON.stringify(comparable(targetsIn(link[what], what))),
		sentBack(link) {
			const present = targetsIn(link[what], what);
			return present.length > 0 ? present : undefined;
		},
	};
}

/** `{country: address}` or `{country: {all: address}}` as a body has it. */
const targetsIn = (map: unknown, what: string): IDataObject[] =>
	Object.entries(mapIn(map)).flatMap(([key, target]) => {
		const link = textIn(isRecord(target) ? target.all : target);
		return link === undefined ? [] : [{ [what]: key, link: decodeEntities(link) }];
	});
