import { epochMs, momentIn } from '../../../../dist/nodes/shared/values/moment.js';
import { all, testReaders } from '../../helpers/readers.ts';

const NOON = Date.UTC(2030, 5, 1, 12);

testReaders({
	'a moment': {
		read: momentIn,
		takes: [
			['Sun, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
			...all(['2030-06-01T14:00:00+02:00', '2030-06-01T14:00:00+0200'], NOON),
			...all(['2030-06-01 12:00:00', '2030-06-01t12:00:00z'], NOON),
			...all(['on 2030-06-01', '', 7], undefined),
		],
	},
	'an epoch in seconds, or in milliseconds from 1e11 on': {
		read: (value) => epochMs(Number(value)),
		takes: [
			[1e11, 1e11],
			[1e11 - 1, 1e14 - 1000],
		],
	},
});
