import { readPage } from '../../dist/nodes/shared/lists/pages.js';

test('a page is read with its envelope under `data` or at the top, numbers as strings', () => {
	const urls = [{ id: 1 }];
	const counts = { result: '42', perpage: '15', maxpage: '3', nextpage: '2', currentpage: '1' };
	const page = { total: 42, perPage: 15, currentPage: 1, maxPage: 3, nextPage: 2, records: urls };
	expect(readPage({ data: { ...counts, urls } }, 'urls', 100)).toEqual(page);
	expect(readPage({ ...counts, urls }, 'urls', 100)).toEqual(page);
	expect(() => readPage({ data: {} }, 'urls', 100)).toThrow('The answer holds no "urls"');
});
