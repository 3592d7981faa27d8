import {
	addedLinkFields,
	changedLinkFields,
	newLinkFields,
} from '../../../../../dist/nodes/LinkManagement/resources/link/linkFields.js';
import {
	LINK_MEMBERS,
	LOST_MEMBERS,
} from '../../../../../dist/nodes/LinkManagement/resources/link/members.js';

test('each field of a link has a line in LINK_MEMBERS', () => {
	const members = [...newLinkFields, ...addedLinkFields, ...changedLinkFields]
		.map(({ routing }) => routing?.send?.property ?? '')
		// UTM tags are part of the long URL.
		.filter((name) => name !== '' && !name.startsWith('utm'));
	expect(Object.keys(LINK_MEMBERS)).toEqual(expect.arrayContaining(members));
});

test.each(Object.entries(LINK_MEMBERS))(
	'%s can be compared if it is shown, else it is lost',
	(_name, member) => {
		expect(member.isSame === undefined).toBe(member.shownBy === 'nothing');
		if (member.lost !== undefined) expect(member.shownBy).toBe('nothing');
	},
);

test('what an update may empty is said in words', () => {
	expect(LOST_MEMBERS).toBe('language targets, parameters, password, pixels, note');
});
