import type { JsonRecord } from '../n8n-host/json.ts';

/** A sheet as a page, 960 wide: its rows as they were, and with what a run wrote into them. */

const STYLE = `
body { margin: 0; padding: 16px; width: 928px; font: 12px/1.5 system-ui, sans-serif; color: #202124; background: #fff; }
h1 { margin: 0 0 6px; font-size: 14px; font-weight: 600; }
table + h1 { margin-top: 18px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 4px 6px; white-space: nowrap; border: 1px solid #dadce0; text-align: left; vertical-align: top; }
th { background: #f1f3f4; font-weight: 600; }
td:last-child { white-space: normal; overflow-wrap: anywhere; }
td.created, td.unchanged { color: #137333; }
td.failed { color: #c5221f; }`;

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function tableOf(title: string, rows: readonly JsonRecord[], columns: readonly string[]): string {
	const cells = (tag: string, texts: string[]) =>
		`<tr>${texts.map((text) => `<${tag} class="${escaped(text)}">${escaped(text)}</${tag}>`).join('')}</tr>`;
	const lines = rows.map((row) =>
		cells(
			'td',
			columns.map((name) => (typeof row[name] === 'string' ? row[name] : '')),
		),
	);
	return `<h1>${title}</h1><table>${cells('th', [...columns])}${lines.join('')}</table>`;
}

export const sheetPage = (before: readonly JsonRecord[], after: readonly JsonRecord[]): string => {
	const columns = Object.keys(before[0] ?? {});
	const written = [...columns, 'shorturl', 'outcome', 'error'];
	const tables = [tableOf('Your sheet', before, columns), tableOf('After the run', after, written)];
	return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><body>${tables.join('')}</body>`;
};
