import { linkService } from '../../../dist/nodes/LinkManagement/service.js';

/** A write that was carried out must not count as failed, because somebody would send it again. */
test.each(['id', 'link', 'message', 'short', 'short_url', 'shorturl'])(
	'a response that has nothing but %s says success',
	(member) => {
		expect(linkService.envelopeOf({ [member]: 'x' }).outcome).toBe('success');
	},
);

test.each([
	[{ error: 1 }, undefined],
	[{ error: '1' }, undefined],
	[{ error: '1', message: 'No such link' }, 'No such link'],
	[{ error: 'No such link' }, 'No such link'],
])('%j is refused in words of the service: %j', (body, message) => {
	expect(linkService.envelopeOf(body)).toEqual({ outcome: 'failure', message });
});

test('JSON of another service says nothing', () => {
	expect(linkService.envelopeOf({ name: 'x' }).outcome).toBe('unknown');
});
