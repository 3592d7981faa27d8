import {
	addressWithoutSecrets,
	webAddressIn,
} from '../../../../dist/nodes/shared/values/webAddress.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

testReaders({
	'an address of a record': {
		read: (value) => webAddressIn(value),
		takes: [
			...same('https://links.example.com/a', 'http://a.example/'),
			...all(['go.x/a', '//x', '', ' ', 7, null], undefined),
			...all(['javascript:alert(1)', 'java\nscript:x', 'data:text/html,x'], undefined),
		],
	},
	'an address in a message': {
		read: (value) => addressWithoutSecrets(String(value)),
		takes: [
			['https://ann:pw@a.example:81/b?c#d', 'https://a.example:81/b'],
			['//ann:pw@a b/c?d=e', 'a b/c'],
			['/b#c', '/b'],
		],
	},
});
