import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import type { NodeResult } from '../helpers/engine.ts';
import { onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** What stands between n8n and the service: a company's certificate, a container, a slow service. */

const pem = (what: string, ...lines: string[]): string =>
	[`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`].join('\n');

/** Signed by nobody, for this address and a hundred years. */
const TLS = {
	key: pem(
		'PRIVATE KEY',
		'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYuICSSekU5b502ES',
		'o9ZT5HhTRLtZXQCtidqpoH8b9/2hRANCAAQBd2ToRsg12k8zdlhEQWW5d6f3bybF',
		'ZkniByAADLCkMBb9L+KSpYBCdRu4QfSe6AQnLyIpMcsuCb9Ebf8iE7jF',
	),
	cert: pem(
		'CERTIFICATE',
		'MIIBkDCCATagAwIBAgIUYBwn5zijAQU/UqFTuHnZDHiof9gwCgYIKoZIzj0EAwIw',
		'FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTExMzUzNFoYDzIxMjYxMTA1',
		'MTEzNTM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO',
		'PQMBBwNCAAQBd2ToRsg12k8zdlhEQWW5d6f3bybFZkniByAADLCkMBb9L+KSpYBC',
		'dRu4QfSe6AQnLyIpMcsuCb9Ebf8iE7jFo2QwYjAdBgNVHQ4EFgQUA+HjLGYj4PTT',
		'ECwLPM/kiw1gcGcwHwYDVR0jBBgwFoAUA+HjLGYj4PTTECwLPM/kiw1gcGcwDwYD',
		'VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC',
		'IBXL/tWhOpnB8d2DWGIwZECs9+D4Ueq9/n3nxjmmn+KcAiEArcQ3icb+VaSayTsd',
		'QO6SbuWlEUgVD7RMevGanLqpdAM=',
	),
};

const stage = onStage(new Stage());
let company: Server;

beforeAll(async () => {
	company = createServer(TLS, (request, response) => {
		const { authorization = '' } = request.headers;
		void fetch(`${stage.sandbox.linkUrl}${request.url}`, { headers: { authorization } })
			.then(async (answer) => await answer.text())
			.then((text) => response.end(text));
	});
	await once(company.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => company.close());

const companyUrl = (): string => `https://127.0.0.1:${(company.address() as AddressInfo).port}`;

/** All that a person reads of a failure. */
const read = ({ message, description }: NonNullable<NodeResult['error']>): string =>
	[message, description].join(' ');

/** Everything that sends requests, with these changes of the credential. @returns what a person reads, or nothing */
const WAYS: Record<string, (credential: IDataObject) => Promise<string | undefined>> = {
	'a run': async (credential) => {
		const { error } = await stage.link('account.get', {}, { credential });
		return error && read(error);
	},
	'a dropdown': async (credential) =>
		await stage.search('searchCampaigns', { credential }).then(() => undefined, read),
	'a poll': async (changes) => {
		const linkManagementApi = { ...stage.credentials.linkManagementApi, ...changes } as never;
		const credentials = { linkManagementApi };
		const trigger = triggersOf('linkManagementTrigger')({ credentials }, { event: 'linkCreated' });
		return await trigger.activate().then(() => undefined, read);
	},
	'the credential test': async (credential) => {
		const { status, message } = await stage.testCredential('linkManagement', credential);
		return status === 'OK' ? undefined : message;
	},
};

describe.each(Object.entries(WAYS))('%s', (_way, failureOf) => {
	test("reads what to do about a company's certificate, and takes it with Ignore SSL Issues", async () => {
		const credential = { baseUrl: companyUrl() };
		const failure = await failureOf(credential);
		expect(failure).toMatch(/certificate is not valid.*NODE_EXTRA_CA_CERTS.*'Ignore SSL Issues'/);
		expect(failure).not.toContain('container');
		expect(await failureOf({ ...credential, allowUnauthorizedCerts: true })).toBeUndefined();
	});

	test.each(['127.0.0.1', 'localhost'])(
		'reads of the container where nothing listens at %s',
		async (host) => {
			const failure = await failureOf({ baseUrl: `http://${host}:1` });
			expect(failure).toMatch(/nothing is listening there.*container.*host\.docker\.internal/);
		},
	);
});

describe('by hand', () => {
	/** Twenty times as fast as it is. */
	const HURRY = 20;
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	beforeEach(() =>
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / HURRY)),
	);
	afterEach(() => jest.restoreAllMocks());

	test.each([
		['link.create', { url: 'https://example.com/' }, undefined],
		['account.get', {}, /timed out.*'Timeout' under 'Request Options'/],
	])('a service that takes 11 seconds: %s', async (operation, parameters, expected) => {
		const server = await serve((_request, response) => {
			setTimeout(() => response.end('{"error":0,"id":1,"data":{}}'), 11_000 / HURRY);
		});
		const credential = { baseUrl: server.url };
		const { error } = await stage.link(operation, parameters, { credential, mode: 'manual' });
		await server.stop();
		if (expected) expect(error && read(error)).toMatch(expected);
		else expect(error).toBeUndefined();
	});
});
