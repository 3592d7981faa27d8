import { KnownRecords } from '../../../../dist/nodes/shared/lists/knownRecords.js';
import { textsIn } from '../../../../dist/nodes/shared/values/json.js';

test('what several responses say of one record is put together', () => {
	const things = new KnownRecords({
		source: { path: '/api/things', listName: 'things' },
		what: 'thing',
		names: ({ name }) => textsIn(name),
		label: String,
	});
	things.put({ name: 'One', title: 'First' });
	things.put({ id: 1, name: 'One', title: 'First' });
	things.put({ id: 1, title: null, date: null });
	const one = { id: 1, name: 'One', title: 'First', date: null };
	expect([things.get(1), things.withName('One')]).toEqual([one, [one]]);
});
