import { type NamedList, singleRecord } from '../../../../dist/nodes/shared/lists/namedList.js';
import { RecordIndex } from '../../../../dist/nodes/shared/lists/recordIndex.js';
import { textsIn } from '../../../../dist/nodes/shared/values/json.js';

/** What several responses say of one record. */

const THINGS: NamedList = {
	source: { path: '/api/things', listName: 'things' },
	what: 'thing',
	names: ({ name }) => textsIn(name),
	nameOf: (name) => name,
	label: ({ name }) => textsIn(name).join(),
};

const known = () => new RecordIndex(THINGS, async () => await Promise.reject(new Error()), '');

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
	expect(things.named('One')).toEqual([{ id: 1, name: 'One' }]);
});

test.each([
	[5, /^5 things are called "One": (?:One \(ID \d\)(?:, )?){5}$/],
	[6, /^6 things are called "One": (?:One \(ID \d\), ){5}…$/],
])('%i namesakes are told apart by their IDs', (count, message) => {
	const things = known();
	for (let id = 1; id <= count; id += 1) things.put({ id, name: 'One' });
	expect(() => singleRecord(THINGS, 'One', things.named('One'))).toThrow(message);
});

test('names that differ in case come after those that do not, the oldest first', () => {
	const things = known();
	for (const [id, name] of [
		[9, 'One'],
		[10, 'One'],
		[1, 'ONE'],
	] as const)
		things.put({ id, name });
	things.remove(9);
	things.put({ id: 9, name: 'One' });
	expect(things.named('One').map(({ id }) => id)).toEqual([9, 10]);
	expect(things.named('ONE').map(({ id }) => id)).toEqual([1]);
	things.put({ id: 9, name: 'Two' });
	expect(things.named('One').map(({ id }) => id)).toEqual([10]);
	expect(things.known.map(({ id }) => id)).toEqual([10, 1, 9]);
});
