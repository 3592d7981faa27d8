import {
	authenticationField,
	nodeCredentials,
} from '../../../../dist/nodes/shared/operations/nodeCredentials.js';

/** Expressions see a credential that nobody can fill in, and the editor shows only the real one. */

test('a node asks for its credential, and lists another one, which is never shown', () => {
	expect(nodeCredentials({ name: 'linkApi', testedBy: 'test' })).toEqual([
		{ name: 'linkApi', testedBy: 'test', required: true },
		{
			name: 'linkstoreUnusedApi',
			displayOptions: { show: { '@tool': [], authentication: ['none'] } },
		},
	]);
});

test('the other one is selected', () => {
	expect(authenticationField).toMatchObject({
		name: 'authentication',
		type: 'hidden',
		default: 'none',
		options: [{ value: 'apiKey' }, { value: 'none' }],
	});
});
