import * as shortUrl from '../../../../dist/nodes/LinkManagement/values/shortUrl.js';
import { all, same, testReaders } from '../../helpers/readers.ts';

testReaders({
	'a text without percent-encoding': {
		read: (value) => shortUrl.decoded(String(value)),
		takes: [
			...all(['größe', 'gr%C3%B6%c3%9fe', 'gro\u0308ße'], 'größe'),
			...same('%', '%E4', '50%'),
		],
	},
	'the host of an address': {
		read: shortUrl.hostIn,
		takes: [
			...all(
				['go.example', 'GO.example.', 'https://go.example:443/a', 'http://go.example:80'],
				'go.example',
			),
			['go.example:8080/a', 'go.example:8080'],
			...all(['', ' ', null, 7], undefined),
		],
	},
	'the alias of a short URL': {
		read: (value) => shortUrl.aliasIn(value),
		takes: [
			...all(['https://go.example/a', 'https://go.example/s/a/?b=c'], 'a'),
			['https://go.example/gr%C3%B6%C3%9Fe', 'größe'],
			...all(['https://go.example', 'go.example/a', null, 7], undefined),
		],
	},
	'an address without scheme and query': {
		read: (value) => shortUrl.bareAddress(String(value)),
		takes: [
			...all(['https://go.example/a?b#c', 'GO.example/a/'], 'go.example/a'),
			...same('a b://'),
		],
	},
	'a short URL, or an alias': {
		read: (value) => shortUrl.isShortUrl(String(value)),
		takes: [
			...all(['go.example/a', 'localhost:3000/a'], true),
			...all(['a', 'a/b', 'a.b', 'a/b.c'], false),
		],
	},
});

test('an alias with slashes is known to those who chose it', () => {
	expect(shortUrl.aliasIn('https://go.example/a/b', 'a/b')).toBe('a/b');
});
