import type { INodeProperties } from 'n8n-workflow';

import {
	addedLinkFields,
	changedLinkFields,
	newLinkFields,
} from '../../../../../dist/nodes/LinkManagement/resources/link/linkFields.js';
import {
	LINK_MEMBERS,
	LOST_MEMBERS,
} from '../../../../../dist/nodes/LinkManagement/resources/link/members.js';

/** Each field of a link has a line in the table of its members. */

const sentAs = ({ routing }: INodeProperties): string => routing?.send?.property ?? '';

/** UTM tags are part of the long URL. */
const members = [...newLinkFields, ...addedLinkFields, ...changedLinkFields]
	.map(sentAs)
	.filter((name) => name !== '' && !name.startsWith('utm'));

test.each([...new Set(members)])(
	'the field that is sent as %s has a line in LINK_MEMBERS',
	(name) => {
		expect(Object.keys(LINK_MEMBERS)).toContain(name);
	},
);

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
