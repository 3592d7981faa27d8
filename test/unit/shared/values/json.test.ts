import * as json from '../../../../dist/nodes/shared/values/json.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

testReaders({
	'a text': {
		read: json.textIn,
		takes: [[' a ', 'a'], ...all(['', ' ', 7, null, ['a']], undefined)],
	},
	'a whole number': {
		read: json.integerIn,
		takes: [
			...all([7, '7', ' 7 '], 7),
			...all([-7, '-7'], -7),
			...all(['', '7.5', 'a7', '7a', String(2 ** 53), 7.5, 2 ** 53, null, [7], true], undefined),
		],
	},
	'a decimal': {
		read: json.decimalIn,
		takes: [
			['49.00', 49],
			['-0.5', -0.5],
			['7', 7],
			[9.5, 9.5],
			...all(['1e3', '0x10', '1,5', '1 000', ' 1', '.5', '5.', '', 'free', null, ['7']], undefined),
		],
	},
	'a switch': {
		read: json.booleanIn,
		takes: [
			...all([true, 1, '1', 'true'], true),
			...all([false, 0, '0', 'false'], false),
			...all([2, 'yes', '', null, {}], undefined),
		],
	},
	'an id': {
		read: json.idIn,
		takes: [[1, 1], ['2', 2], ...all([0, '0', -1, 1.5, 'a', null], undefined)],
	},
	'a map': {
		read: json.mapIn,
		takes: [[{ a: 1 }, { a: 1 }], ...all([[], [1], null, 'a', undefined], {})],
	},
	'a list': {
		read: json.recordsIn,
		takes: [...all([[{ a: 1 }, 'a', null, [1], {}]], [{ a: 1 }, {}]), ...all([{}, null, 'a'], [])],
	},
	'a record that must be there': {
		read: (link) => json.requireRecord({ link } as never, 'link'),
		takes: same({}, { a: 1 }),
		refuses: [undefined, null, [], 'a'],
		saying: /^The response has no "link"\. Check the base URL/,
	},
	'a list in which one record with an ID is enough': {
		read: (records) => json.requireIds(records as never),
		takes: same([], [{ id: 'x' }, { id: 3 }]),
		refuses: [[{ id: 'x' }]],
		saying: /An ID must be a positive whole number/,
	},
	'a record with whole numbers': {
		read: (record) =>
			json.withTypes(record as never, { id: json.integerIn, clicks: json.integerIn }),
		takes: [
			...all([{ id: '7', clicks: 'many', name: '8' }], { id: 7, clicks: 'many', name: '8' }),
			...same({ constructor: 'a', toString: 1 }),
		],
	},
});
