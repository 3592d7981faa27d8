import { RecordIndex } from '../../../../dist/nodes/shared/lists/recordIndex.js';
import { textsIn } from '../../../../dist/nodes/shared/values/json.js';

test('what several responses say of one record is put together', () => {
	const list = {
		source: { path: '/api/things', listName: 'things' },
		what: 'thing',
		names: ({ name }: { name?: unknown }) => textsIn(name),
		nameOf: String,
		label: String,
	};
	const things = new RecordIndex(list, async () => await Promise.reject(new Error()), '');
	things.put({ name: 'One', title: 'First' });
	things.put({ id: 1, name: 'One', title: 'First' });
	things.put({ id: 1, title: null, date: null });
	const one = { id: 1, name: 'One', title: 'First', date: null };
	expect([things.get(1), things.named('One')]).toEqual([one, [one]]);
});
