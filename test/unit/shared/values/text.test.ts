import * as text from '../../../../dist/nodes/shared/values/text.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

testReaders({
	'what people see of a text': {
		read: (value) => text.visibleText(String(value)),
		takes: [
			...same('👩\u200d💻', '❤\ufe0f', 'می\u200cخواهم', '🏴\u{e0067}\u{e0062}\u{e007f}'),
			...all(
				[
					'\ufeffa\u00adb\u200b',
					'\u202aa\u200db\u2066\u202c',
					'\u00a0a\u2060b\u061c',
					'a\u200d\u200db',
				],
				'ab',
			),
		],
	},
	'a text that a service has escaped for HTML': {
		read: (value) => text.decodeEntities(String(value)),
		takes: [
			...all(['Ann&#039;s', 'Ann&#39;s'], "Ann's"),
			...all(['a&amp;b', 'a&#038;b', 'a&#38;b'], 'a&b'),
			...all(['&quot;a&quot;', '&#34;a&#034;'], '"a"'),
			['&lt;a&gt;', '<a>'],
			['&amp;lt;', '&lt;'],
			...same('a&b', 'a&amp', '&copy;', '&#8217;', 'a&ampb'),
		],
	},
});

/** To order its marks takes minutes. */
test('a letter with a hundred thousand marks blocks nothing', () => {
	const letter = `a${'\u0300'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;
	expect([text.normalized(letter), text.normalized('e\u0301')]).toEqual([letter, '\u00e9']);
});
