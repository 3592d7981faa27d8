import { InputItems } from '../../../../dist/nodes/shared/operations/inputItems.js';

const itemsOf = (...rows: object[]) => rows.map((json) => ({ json: { ...json } }));

test('a question about all items is answered once', () => {
	const test = jest.fn(({ a }: { a?: unknown }) => a === 2);
	const items = new InputItems(itemsOf({ a: 1 }, { a: 2 }, { a: 3 }));
	expect([items.some('two', test), items.some('two', test)]).toEqual([true, true]);
	expect(test).toHaveBeenCalledTimes(2);
	expect([items.some('four', () => false), items.some('four', () => true)]).toEqual([false, false]);
});

test('the columns of all items are listed once', () => {
	const items = new InputItems(itemsOf({ a: 1, b: 2 }, { b: 3, c: 4 }));
	expect(items.columns).toEqual(['a', 'b', 'c']);
	expect(items.columns).toBe(items.columns);
});
