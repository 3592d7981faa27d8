import { Stage, onStage } from './support.ts';

const stage = onStage(new Stage());

/** n8n reads it once, when it sends its first request. */
beforeAll(() => {
	process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
});

test("an address that n8n's own protection refuses was surely not sent to", async () => {
	const parameters = { url: 'https://example.com/', additionalFields: {} };
	const { error, requests } = await stage.link('link.create', parameters);
	expect(requests).toEqual([]);
	expect(error).toMatchObject({
		message: expect.stringMatching(/n8n's own protection \(SSRF\) refuses that address/) as unknown,
		description: expect.not.stringMatching(/carried out/) as unknown,
	});
});
