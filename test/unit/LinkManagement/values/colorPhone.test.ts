import {
	parseHexColor,
	parseRgbColor,
} from '../../../../dist/nodes/LinkManagement/values/color.js';
import { parsePhone } from '../../../../dist/nodes/LinkManagement/values/phone.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

testReaders({
	'a color': {
		read: (value) => [parseHexColor('Color', value), parseRgbColor('Color', value)],
		takes: [
			...all(['#ff9900', ' FF9900 ', '#f90', '\ufefff90'], ['#ff9900', 'rgb(255,153,0)']),
			[123456, ['#123456', 'rgb(18,52,86)']],
		],
		refuses: ['red', '#ff99', '#gggggg', '#ff9900ff', 'x#f90', 7, 'rgb(1,2,3)'],
		saying: /^'Color' must be a color, but is .*\. Enter it like/,
	},
	'a phone': {
		read: (value) => parsePhone('Phone', value),
		takes: [
			...same('+4930901820', '004930901820', '110', '0123456700'),
			...all(['+49 30 901820', '+49 (30) 90-18/20', '+49.30.90 18–20\u202c'], '+4930901820'),
			...all(['+49 (0)30 901820', '(+49) (0)30 901820', '+ 49 ( 0 ) 30/901820'], '+4930901820'),
			['0049 (0)30 901820', '004930901820'],
			['+39 (06) 901820', '+3906901820'],
			...all(['(030) 901820', '(0) 30 901820'], '030901820'),
			[491701234567, '491701234567'],
		],
		refuses: [
			...['1-800-FLOWERS', '030 901820 ext. 5', '*100#', '+', '030+901820', 'tel:110', '1,701'],
			...['030 901820 / 0171 1234567'],
		],
		saying: /^'Phone' must be a phone number, but is ".+"\. Enter it like/,
	},
	'a phone that a spreadsheet has changed': {
		read: (value) => parsePhone('Phone', value),
		refuses: ['491701234567.0', '491701234567,00', '4.9170E+11'],
		saying: /^'Phone' is a number that a spreadsheet .+\. Format the column as text/,
	},
});
