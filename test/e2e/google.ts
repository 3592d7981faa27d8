import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { serve } from '../loopback.ts';
import type { CredentialInput } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, text } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';

const SPREADSHEET = '1the-sheet-that-all-the-tests-read-and-write';
const SHEET = 'Links';
const BASE = `/v4/spreadsheets/${SPREADSHEET}`;

/** Without the quotation marks that may stand around the sheet: `Links!B7`, a column and a row */
const CELL = /^Links!([A-Z])(\d+)$/;

/** The rows of a sheet, each with its cells, the header first. */
type Rows = unknown[][];

type Handler = (rows: Rows, sent: JsonRecord) => unknown;

const HANDLERS: Record<string, Handler> = {
	[`GET ${BASE}`]: () => ({
		sheets: [{ properties: { sheetId: 0, title: SHEET, sheetType: 'GRID' } }],
	}),
	[`GET ${BASE}/values/${SHEET}`]: (rows) => ({ range: SHEET, values: rows }),
	[`PUT ${BASE}/values/${SHEET}!1:1`](rows, { values }) {
		rows[0] = list(list(values)[0]);
		return {};
	},
	[`POST ${BASE}/values:batchUpdate`](rows, { data }) {
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

/** An account that somebody has connected. */
const credential: CredentialInput = {
	name: 'Google Sheets account',
	type: 'googleSheetsOAuth2Api',
	data: {
		clientId: 'n8n',
		clientSecret: KEYS.googleSecret,
		oauthTokenData: { access_token: KEYS.google, token_type: 'Bearer' },
	},
};

/** A Google with one sheet, behind the name that n8n knows: sheets.googleapis.com. */
export async function startGoogle(stack: AsyncDisposableStack) {
	const rows: Rows = [];
	const server = await serve((request, response) => {
		const { method, headers, url = '' } = request;
		const { pathname } = new URL(url, 'http://localhost');
		const name = `${method} ${decodeURIComponent(pathname).replaceAll("'", '')}`;
		const isConnected = headers.authorization === `Bearer ${KEYS.google}`;
		const handler = isConnected ? HANDLERS[name] : undefined;
		const sent = method === 'GET' ? Promise.resolve({}) : json(request);
		void sent.then((body) => {
			response.statusCode = handler ? 200 : 403;
			response.setHeader('content-type', 'application/json');
			const refusal = { error: { message: `The stand-in does not answer ${name}` } };
			response.end(JSON.stringify(handler ? handler(rows, record(body)) : refusal));
		});
	});
	stack.defer(async () => await server.stop());
	return {
		rows,
		credential,
		/** What a person picks from the lists in the panel of a node */
		picked: {
			documentId: { __rl: true, mode: 'list', value: SPREADSHEET },
			sheetName: { __rl: true, mode: 'list', value: 'gid=0' },
		},
		/** With it, an n8n takes this server for Google */
		env: {
			STAND_IN: server.url,
			NODE_OPTIONS: `--import=${pathToFileURL('test/e2e/reroute.mjs').href}`,
		},
	};
}
