import { linkService } from '../../../dist/nodes/LinkManagement/service.js';

/** A write that was carried out must not count as failed, because somebody would send it again. */
test.each(['id', 'link', 'message', 'short', 'shorturl'])(
	'a response that has nothing but %s says success',
	(member) => {
		expect(linkService.envelopeOf({ [member]: 'x' }).outcome).toBe('success');
	},
);

test('JSON of another service says nothing', () => {
	expect(linkService.envelopeOf({ name: 'x' }).outcome).toBe('unknown');
});
