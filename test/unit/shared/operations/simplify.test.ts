import { simplified } from '../../../../dist/nodes/shared/operations/simplify.js';

const record = { id: 1, name: 'a', more: [1] };

test.each([
	[true, ['name', 'id', 'none'], { name: 'a', id: 1 }],
	[false, ['name'], record],
	['true', ['name'], record],
])('with Simplify %j, %j are left', (simplify, names, left) => {
	const parameter = (name: string) => (name === 'simplify' ? simplify : undefined);
	expect(simplified(record, parameter, names)).toStrictEqual(left);
});
