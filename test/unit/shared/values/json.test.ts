import * as json from '../../../../dist/nodes/shared/values/json.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

testReaders({
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
