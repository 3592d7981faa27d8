import type { IncomingMessage } from 'node:http';
import { json as bodyIn } from 'node:stream/consumers';

import { serve } from '../loopback.ts';
import type { CredentialRef, N8nClient } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, text } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import { standInsFor } from './standIns.ts';

const SPREADSHEET = '1the-sheet-that-all-the-tests-read-and-write';
const SHEET = 'Links';
const BASE = `/v4/spreadsheets/${SPREADSHEET}`;

/** Without the quotation marks that may stand around the sheet: `Links!B7`, a column and a row */
const CELL = /^Links!([A-Z])(\d+)$/;

/** The rows of a sheet, each with its cells, the header first. */
type Rows = unknown[][];

type Handler = (sheet: { rows: Rows }, sent: JsonRecord) => unknown;

const HANDLERS: Record<string, Handler> = {
	'POST /token': () => ({ access_token: KEYS.google, token_type: 'Bearer', expires_in: 3600 }),
	[`GET ${BASE}`]: () => ({
		sheets: [{ properties: { sheetId: 0, title: SHEET, sheetType: 'GRID' } }],
	}),
	[`GET ${BASE}/values/${SHEET}`]: ({ rows }) => ({ range: SHEET, values: rows }),
	[`PUT ${BASE}/values/${SHEET}!1:1`]: ({ rows }, { values }) => {
		rows[0] = list(list(values)[0]);
		return {};
	},
	[`POST ${BASE}/values:batchUpdate`]: ({ rows }, { data }) => {
		for (const { range, values } of list(data).map(record)) {
			const [, column = '', number] = CELL.exec(text(range, 'range').replaceAll("'", '')) ?? [];
			const row = (rows[Number(number) - 1] ??= []);
			const at = column.charCodeAt(0) - 'A'.charCodeAt(0);
			while (row.length < at) row.push('');
			row[at] = list(list(values)[0])[0];
		}
		return {};
	},
};

/** A Google with one sheet, behind the names that n8n knows: oauth2.googleapis.com and sheets.googleapis.com. */
export async function startGoogle(stack: AsyncDisposableStack) {
	const sheet: { rows: Rows } = { rows: [] };
	const server = await serve((request, response) => {
		const name = nameOf(request);
		const isAllowed = name === 'POST /token' || isConnected(request);
		const handler = isAllowed ? HANDLERS[name] : undefined;
		void (request.method === 'GET' ? Promise.resolve({}) : sentIn(request)).then((sent) => {
			response.statusCode = handler ? 200 : 403;
			response.setHeader('content-type', 'application/json');
			const refusal = { error: { message: `The stand-in does not answer ${name}` } };
			response.end(JSON.stringify(handler ? handler(sheet, sent) : refusal));
		});
	});
	stack.defer(async () => await server.stop());
	return {
		sheet,
		/** What a person picks from the lists in the panel of a node */
		picked: {
			documentId: { __rl: true, mode: 'list', value: SPREADSHEET },
			sheetName: { __rl: true, mode: 'list', value: 'gid=0' },
		},
		/** With it, an n8n takes this server for Google */
		env: standInsFor({ '.googleapis.com': server.url }),
	};
}

function nameOf({ method, url }: IncomingMessage): string {
	const { pathname } = new URL(String(url), 'http://localhost');
	return `${method} ${decodeURIComponent(pathname).replaceAll("'", '')}`;
}

const isConnected = ({ headers }: IncomingMessage): boolean =>
	headers.authorization === `Bearer ${KEYS.google}`;

/** Forms are sent for tokens only, and not read. */
async function sentIn(request: IncomingMessage): Promise<JsonRecord> {
	return record(await bodyIn(request).catch(() => undefined));
}

/** As a person connects an account: the browser goes to Google, and comes back with a code. */
export async function connectGoogle(client: N8nClient): Promise<CredentialRef> {
	const credential = await client.createCredential({
		name: 'Google Sheets account',
		type: 'googleSheetsOAuth2Api',
		data: { clientId: 'n8n', clientSecret: KEYS.googleSecret },
	});
	const way = await client.get(`/oauth2-credential/auth?id=${credential.id}`);
	const { searchParams } = new URL(text(way, 'the address of Google'));
	const back = new URLSearchParams({ code: 'agreed', state: String(searchParams.get('state')) });
	await client.get(`/oauth2-credential/callback?${back.toString()}`);
	return credential;
}
