import {
	parseHexColor,
	parseRgbColor,
} from '../../../../dist/nodes/LinkManagement/values/color.js';
import { all, testReaders } from '../../helpers/readers.ts';

testReaders({
	'a color': {
		read: (value) => [parseHexColor('Color', value), parseRgbColor('Color', value)],
		takes: [
			...all(['#ff9900', ' FF9900 ', '#f90', '\ufefff90'], ['#ff9900', 'rgb(255,153,0)']),
			...all(['rgb(255,153,0)', 'RGB(255, 153, 0)'], ['#ff9900', 'rgb(255,153,0)']),
			...all(['rgb (255,  153, 0)', 'rgb( 255  153  0 )'], ['#ff9900', 'rgb(255,153,0)']),
			['rgb(0,0,9)', ['#000009', 'rgb(0,0,9)']],
			[123456, ['#123456', 'rgb(18,52,86)']],
		],
		refuses: ['red', '#ff99', '#gggggg', '#ff9900ff', 'x#f90', 7],
		saying: /^'Color' must be a color, but is .*\. Enter it like/,
	},
	'rgb that is no color': {
		read: (value) => parseRgbColor('Color', value),
		refuses: [
			'rgb(256,0,0)',
			'rgb(1,2)',
			'argb(1,2,3)',
			'rgb(1,2,3,4)',
			'rgb(10%,0,0)',
			'rgba(1,2,3)',
		],
		saying: /^'Color' must be a color, but is ".+"\. Enter it like/,
	},
});
