import type { IDataObject } from 'n8n-workflow';
import { linkService } from '../../dist/nodes/LinkManagement/service.js';
import { storeService } from '../../dist/nodes/Store/service.js';
import { type Connection, connectionWith } from '../../dist/nodes/shared/http/connection.js';
import { sendRequest } from '../../dist/nodes/shared/http/request.js';
import type { HttpResponse } from '../../dist/nodes/shared/http/exchange.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';
import { integerIn } from '../../dist/nodes/shared/values/json.js';
import { CHOICES } from '../dialects.ts';
import { LISTS, type Seen, SHOWN, type ShownSetting, textOf } from './settings.ts';

/**
 * Sends the GETs of the nodes to a service, through their own code and at the pace of the credential, and says which
 * settings of the sandbox the service has. It sends nothing that could change anything.
 */

export type ServiceName = 'link' | 'store';

export interface Asked {
	request: string;
	status: number | undefined;
	/** What the nodes could not read, in their words. */
	problem: string | undefined;
}

export interface Finding {
	setting: ShownSetting;
	/** The values that fit what came; several if the GETs do not tell them apart. */
	values: readonly string[];
	nodes: string;
}

export interface Report {
	service: ServiceName;
	requests: Asked[];
	findings: Finding[];
	/** Why most is unknown, if the account could not be read. */
	stoppedBy: string | undefined;
}

/** A key that no service knows. */
const WRONG_KEY = 'a-key-that-the-check-made-up';
const LARGEST_ID = 999_999_999;

export async function checkService(
	name: ServiceName,
	credential: IDataObject & { apiKey: string },
): Promise<Report> {
	const requests: Asked[] = [];
	const seen: Seen = {};

	/** Sends a GET as the nodes do; keeps the response under a name, whatever came. */
	const ask = async (
		as: string,
		path: string,
		query: IDataObject = {},
		changes: IDataObject = {},
	): Promise<IDataObject | undefined> => {
		let last: HttpResponse | undefined;
		const connection = connectionTo(name, { ...credential, ...changes }, (response) => {
			last = response;
		});
		const options = { urgent: false, retryMs: 10_000 };
		const outcome = await sendRequest(connection, { method: 'GET', path, query }, options).catch(
			(error: unknown) => (error instanceof Failure ? error : Promise.reject(error as Error)),
		);
		const failure = outcome instanceof Failure ? outcome : undefined;
		const search = new URLSearchParams(query as Record<string, string>).toString();
		requests.push({
			request: `GET ${path}${search && `?${search}`}${as === 'wrongKey' ? ' (with a wrong key)' : ''}`,
			status: last?.statusCode,
			problem: failure?.explanation.replaceAll(credential.apiKey, '***'),
		});
		seen[as] = {
			...(last ?? { statusCode: 0, headers: {}, body: undefined }),
			kind: failure?.kind,
		};
		return outcome instanceof Failure ? undefined : outcome.body;
	};

	if (name === 'link') await askLinks(ask);
	else await askStore(ask);

	const findings = Object.entries(SHOWN).flatMap(([setting, { service, read, nodes }]) => {
		const values = service === name || service === 'both' ? read(seen) : [];
		return values.length === 0 ? [] : [{ setting: setting as ShownSetting, values, nodes }];
	});
	const stoppedBy = seen.account?.kind ? requests[0]?.problem : undefined;
	return { service: name, requests, findings, stoppedBy };
}

type Ask = (
	as: string,
	path: string,
	query?: IDataObject,
	changes?: IDataObject,
) => Promise<IDataObject | undefined>;

async function askLinks(ask: Ask): Promise<void> {
	if (!(await ask('account', linkService.testPath))) return;
	await ask('wrongKey', linkService.testPath, {}, { apiKey: WRONG_KEY });
	await ask('unknown', `/api/url/${LARGEST_ID}`);
	const links = await ask('links', '/api/urls', { limit: 100, page: 1 });
	const { urls, maxpage } = dataOf(links ?? (await ask('smaller', '/api/urls', { page: 1 })));
	const last = Math.max(1, integerIn(maxpage) ?? 1);
	const limit = links ? { limit: 100 } : {};
	await ask('last', '/api/urls', { ...limit, page: last });
	await ask('beyond', '/api/urls', { ...limit, page: last + 1 });
	const records = Array.isArray(urls) ? (urls as IDataObject[]) : [];
	const quiet = records.find(({ clicks }) => integerIn(clicks) === 0);
	const visited = records.find(({ clicks }) => (integerIn(clicks) ?? 0) > 0);
	if (quiet) await ask('quiet', `/api/url/${textOf(quiet.id)}`);
	if (visited) await ask('visited', `/api/url/${textOf(visited.id)}`);
	for (const list of LISTS) await ask(list, `/api/${list}`, { page: 1 });
}

async function askStore(ask: Ask): Promise<void> {
	await ask('account', storeService.testPath, {}, { apiKeyLocation: 'query' });
	const inHeader = { apiKeyLocation: 'header', apiKeyHeader: 'api_key' };
	const header = await ask('header', storeService.testPath, {}, inHeader);
	await ask('items', '/api/items/all', {}, header ? inHeader : { apiKeyLocation: 'query' });
	await ask('wrongKey', storeService.testPath, {}, { ...inHeader, apiKey: WRONG_KEY });
}

/** A connection of the nodes with the credential, sent with `fetch`. */
function connectionTo(
	name: ServiceName,
	credential: IDataObject,
	onResponse: (response: HttpResponse) => void,
): Connection {
	const service = name === 'link' ? linkService : storeService;
	const data = credential as Parameters<typeof connectionWith>[1];
	const connection = connectionWith(service, data, async (request) => {
		if (request.method !== 'GET') throw new Error('The check sends nothing but GET requests');
		const { url, qs, headers, abortSignal } = await service.authenticate(data, request);
		const address = new URL(url);
		for (const [member, value] of Object.entries(qs ?? {})) {
			address.searchParams.set(member, textOf(value));
		}
		const response = await fetch(address, {
			headers: headers as Record<string, string>,
			redirect: 'manual',
			...(abortSignal ? { signal: abortSignal as AbortSignal } : {}),
		});
		const { status: statusCode, body } = response;
		return { statusCode, headers: Object.fromEntries(response.headers), body };
	});
	const sendOnce: Connection['sendOnce'] = async (...request) => {
		const response = await connection.sendOnce(...request);
		onResponse(response);
		return response;
	};
	return { ...connection, sendOnce };
}

const dataOf = (body: IDataObject | undefined): IDataObject => (body?.data ?? {}) as IDataObject;

/** The report as Markdown; the key is in no part of it. */
export function printed({ service, requests, findings, stoppedBy }: Report): string {
	const rows = findings.map(({ setting, values, nodes }) => [
		setting === 'clockSkew' ? 'clockSkew' : setting,
		values.join(' or '),
		setting === 'clockSkew' ? 'seconds its clock runs ahead' : CHOICES[setting].about,
		nodes,
	]);
	const problems = requests.filter(({ problem }) => problem !== undefined);
	return [
		`# Check of a ${service === 'link' ? 'link management service' : 'store'}`,
		...(stoppedBy ? [`The account could not be read. ${stoppedBy}`] : []),
		'## What was sent',
		table([
			['request', 'status', 'understood'],
			...requests.map(({ request, status, problem }) => [
				request,
				status === undefined ? 'no response' : String(status),
				problem === undefined ? 'yes' : 'as a failure',
			]),
		]),
		'## Settings',
		table([['setting', 'value', 'about', 'what the nodes do'], ...rows]),
		'## What was read as a failure',
		problems.map(({ request, problem = '' }) => `- \`${request}\`: ${problem}`).join('\n') ||
			'Nothing.',
		'',
	].join('\n\n');
}

function table([head = [], ...rows]: string[][]): string {
	const line = (cells: string[]): string =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
