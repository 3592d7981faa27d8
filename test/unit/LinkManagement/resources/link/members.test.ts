import type { IDataObject } from 'n8n-workflow';

import {
	addedLinkFields,
	changedLinkFields,
	newLinkFields,
} from '../../../../../dist/nodes/LinkManagement/resources/link/linkFields.js';
import {
	LINK_MEMBERS,
	LOST_MEMBERS,
} from '../../../../../dist/nodes/LinkManagement/resources/link/members.js';
import { fixtureOf } from '../../../../fixtures.ts';

test('each field of a link has a line in LINK_MEMBERS', () => {
	const members = [...newLinkFields, ...addedLinkFields, ...changedLinkFields]
		.map(({ routing }) => routing?.send?.property ?? '')
		// UTM tags are part of the long URL.
		.filter((name) => name !== '' && !name.startsWith('utm'));
	const missing = members.filter((name) => !(name in LINK_MEMBERS));
	expect(missing.map((name) => `members.ts has no line for ${name}`)).toEqual([]);
});

test.each(Object.entries(LINK_MEMBERS))(
	'%s can be compared if it is shown, else it is lost',
	(_name, member) => {
		expect(member.isSame === undefined).toBe(['key', 'nothing'].includes(member.shownBy));
		if (member.lost !== undefined) expect(member.shownBy).toBe('nothing');
	},
);

test('what the details show is compared', () => {
	const [get] = fixtureOf('linkManagement', 'link.get').requests;
	const { details } = get?.response as { details: IDataObject };
	const isUnread = (name: string) => LINK_MEMBERS[name]?.shownBy === 'nothing';
	// What links call their description is that for social networks, not the note.
	expect(Object.keys(details).filter(isUnread)).toEqual(['description']);
});

test('what an update may empty is said in words', () => {
	expect(LOST_MEMBERS).toBe('language targets, parameters, password, pixels, note');
});
