import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { Dialect } from '../../sandbox/dialects.ts';
import { callLink, callStore, linkFailure, member, sandboxForTests } from './clients.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';
import type { Shape } from './manifest.ts';
import { departures, isObject } from './shapes.ts';

/** The answer of this endpoint in this dialect: some write `error` in another way, or not at all. */
function shapeIn(endpoint: string, answer: Shape, dialect: Dialect): Shape {
	if (!isObject(answer)) return answer;
	const { error: _error, ...rest } = answer;
	const isBare = dialect.errorMember === 'as-documented' && endpoint === 'GET /api/overlay';
	const shape = isBare || dialect.errorMember === 'absent' ? rest : answer;
	if (!('short' in shape)) return shape;
	const { short, ...others } = shape;
	return { ...others, [dialect.updatedLink]: short };
}

describe.each(DIALECT_NAMES)('In the preset %s', (preset) => {
	const dialect = presetDialect(preset);
	const sandbox = sandboxForTests({ dialect: preset });

	test.each(Object.entries(LINK_ENDPOINTS))('%s answers as documented', async (name, endpoint) => {
		const answer = await callLink(sandbox(), name, endpoint.example);
		expect(departures(shapeIn(name, endpoint.answer, dialect), answer.data, dialect)).toEqual([]);
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toContain(dialect.contentType);
	});

	test.each(Object.entries(STORE_ENDPOINTS))('%s answers as documented', async (name, endpoint) => {
		const answer = await callStore(sandbox(), dialect, name, endpoint.example);
		// Numbers as strings are a habit of the service only.
		const storeDialect: Dialect = { ...dialect, integers: 'number', emptyMaps: 'object' };
		// Where else the purchase may stand, dialects.test.ts has.
		const { item: purchase, ...others } = isObject(answer.data) ? answer.data : {};
		const isElsewhere = name.includes('purchases') && dialect.purchasePlace === 'item';
		const data = isElsewhere ? { ...others, data: { purchase } } : answer.data;
		expect(departures(endpoint.answer, data, storeDialect)).toEqual([]);
		expect(member(answer.data, 'status')).toBe('success');
		expect(answer.status).toBe(200);
	});

	test.each(Object.entries(LINK_ENDPOINTS))(
		'%s refuses a request without a key',
		async (name, endpoint) => {
			const answer = await callLink(sandbox(), name, { ...endpoint.example, key: '' });
			linkFailure(answer);
			expect(answer.status).toBe(Number(dialect.keyRefused));
		},
	);

	test.each(Object.entries(STORE_ENDPOINTS))('%s refuses a wrong key', async (name, endpoint) => {
		const answer = await callStore(sandbox(), dialect, name, endpoint.example, 'wrong');
		expect(member(answer.data, 'status')).toBe('error');
		expect(member(answer.data, 'msg')).toEqual(expect.any(String));
		expect(answer.status).toBe(Number(dialect.keyRefused));
	});

	test('unknown addresses get the failure shape', async () => {
		linkFailure(await callLink(sandbox(), 'GET /api/nothing'));
		linkFailure(await callLink(sandbox(), 'PATCH /api/url/1'));
		const answer = await callStore(sandbox(), dialect, 'GET /api/nothing');
		expect(answer.data).toMatchObject({ status: 'error', msg: 'Invalid request' });
	});
});
