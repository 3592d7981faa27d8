/**
 * n8n reads these settings once, so here it is loaded again.
 *
 * @jest-environment node
 */
import { Stage, byId, onStage } from '../helpers/support.ts';

const stage = onStage(new Stage());

beforeAll(() => {
	process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
	process.env.N8N_SSRF_ALLOWED_HOSTNAMES = 'localhost';
});

test("an address that n8n's own protection refuses was surely not sent to", async () => {
	const parameters = { url: 'https://example.com/', additionalFields: {} };
	const { error, requests } = await stage.link('link.create', parameters);
	expect(requests).toEqual([]);
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/n8n's SSRF protection blocks that address, unless N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES has it/,
		) as unknown,
		description: expect.not.stringMatching(/carried out/) as unknown,
	});
});

test('the picture of a QR code is not asked for at such an address, whatever the service says', async () => {
	const id = await stage.make('/api/qr/add', { type: 'text', data: 'Table 7' });
	const credential = { baseUrl: stage.sandbox.linkUrl.replace('127.0.0.1', 'localhost') };
	const parameters = { qrCodeId: byId(id) };
	const { error, requests } = await stage.link('qrCode.getImage', parameters, { credential });
	expect(requests).toHaveLength(1);
	expect(error?.message).toMatch(/^No picture came from .* was blocked/);
});
