import { KnownRecords } from '../../../../dist/nodes/shared/lists/knownRecords.js';
import { textsIn } from '../../../../dist/nodes/shared/values/json.js';

/** What several responses say of one record. */

const known = () =>
	new KnownRecords({
		source: { path: '/api/things', listName: 'things' },
		what: 'thing',
		names: ({ name }) => textsIn(name),
		label: ({ name }) => textsIn(name).join(),
	});

test('a member that one response has keeps its value if another has none', () => {
	const things = known();
	things.put({ id: 1, name: 'One', title: 'First' });
	things.put({ id: 1, title: null, date: null });
	expect(things.get(1)).toEqual({ id: 1, name: 'One', title: 'First', date: null });
});

test('a record without an id is the one that the list has later', () => {
	const things = known();
	things.put({ name: 'One' });
	things.put({ id: 1, name: 'One' });
	expect(things.withName('One')).toEqual([{ id: 1, name: 'One' }]);
});
