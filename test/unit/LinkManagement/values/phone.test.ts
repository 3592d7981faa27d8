import { parsePhone } from '../../../../dist/nodes/LinkManagement/values/phone.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

const read = (value: unknown) => parsePhone('Phone', value);

testReaders({
	'a phone': {
		read,
		takes: [
			...same('+4930901820', '004930901820', '110'),
			...all(['+49 30 901820', '+49 (30) 90-18-20', '+49/30/901820'], '+4930901820'),
			...all(['01.23.45.67.00', '01\u00a023 45 67 00'], '0123456700'),
			...all(['+49.30.901820', 'TEL:+49-30-901820', '+49 30 90 18–20\u202c'], '+4930901820'),
			...all(['+49 (0)30 901820', '+49 (0) 30/901820'], '+4930901820'),
			...all(['(+49) (0)30 901820', '+49-(0)-30-901820', '+ 49 ( 0 ) 30/901820'], '+4930901820'),
			['0049 (0)30 901820', '004930901820'],
			['+39 (06) 901820', '+3906901820'],
			['(030) 901820', '030901820'],
			['(0) 30 901820', '030901820'],
			[491701234567, '491701234567'],
		],
		refuses: [
			'1-800-FLOWERS',
			'030 901820 ext. 5',
			'*100#',
			'+',
			'030+901820',
			'call me',
			'+4930 tel:901820',
			'030 901820 / 0171 1234567',
		],
		saying: /^'Phone' must be a phone number, but is ".+"\. Enter it like/,
	},
	'a phone that a spreadsheet has changed': {
		read,
		refuses: [
			...['491701234567.0', '+491701234567.0', '491701234567,00', '49 170.0', '1,701,234'],
			...['4.9170E+11', '4,9170E+11', '4.91701234567E11'],
		],
		saying: /^'Phone' is a number that a spreadsheet .+\. Format the column as text/,
	},
});
