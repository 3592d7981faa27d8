import { startSandbox } from '../../sandbox/sandbox.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, demoAccess, saveSandboxCredentials } from '../n8n-host/instance.ts';
import { withEditor } from './editor.ts';
import type { Row } from './editor.ts';
import { theStage } from './stage.ts';
import { inLine, TRIGGER } from './workflow.ts';

/** A sheet of a marketing team, run twice in the editor by clicks alone. */

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);

/** As a team and its tools write them: two say nothing of a link. */
const COLUMNS = 'Titel;Destination URL;Slug;Valid Until;Campaign;UTM Source;UTM Medium;Status';

/**
 * A line of the sheet, and what the second run says of it: its outcome, or how its error begins. The list of links does not show
 * an expiry, so it is written again.
 */
const LINES: Array<[line: string, says: string]> = [
	[
		'Frühling;https://example.com/frühling?größe=xl;fruehling;31.12.2030;spring sale;Newsletter;E-Mail;ok',
		'updated',
	],
	[
		'Sommer; https://example.com/sommer ; sommer ;1.6.2030 18:00;SPRING SALE;Newsletter;E-Mail;',
		'updated',
	],
	[
		'Geschützte Leerzeichen;\u00a0https://example.com/herbst\u00a0;\u00a0herbst;;newsletter;;;',
		'unchanged',
	],
	['Straße;https://example.com/straße;strasse;;;;;', 'unchanged'],
	['Host;https://bücher.example/neu;buecher;;;;;', 'unchanged'],
	['Ohne Alias;https://example.com/ohne-alias;;;;;;', 'unchanged'],
	['Noch einmal ohne;https://example.com/ohne;;;;Newsletter;E-Mail;', 'unchanged'],
	['Ohne https;www.example.com/x;ohne-https;;;;;', 'unchanged'],
	['Tag;https://example.com/tag;tag;50000;;;;', 'updated'],
	['Leerzeichen;https://example.com/fest;Sommer Fest;;;;;', 'unchanged'],
	['Doppelt;https://example.com/a;doppelt;;;;;', 'unchanged'],
	['Noch einmal doppelt;https://example.com/b;doppelt;;;;;', 'The link '],
	['Keine Adresse;example dot com;falsch;;;;;', 'Column "Destination URL" must be a web address'],
	['Vertippt;htp://example.com/y;vertippt;;;;;', 'Column "Destination URL" '],
	['Zwei;"https://a.example;https://b.example";zwei;;;;;', 'Column "Destination URL" '],
	['Windows;https://example.com/gr\ufffd\ufffde;windows;;;;;', 'Column "Destination URL" '],
	['Monat zuerst;https://example.com/monat;monat;12/31/2030;;;;', 'Column "Valid Until" must be'],
	['Formel;#REF!;formel;;;;;', 'Column "Destination URL" is the error of a formula: "#REF!"'],
	['Nur ein Titel;;;;;;;', 'skipped'],
	['Kampagne;https://example.com/winter;winter;;Winter;;;', 'There is no campaign "Winter"'],
];
const PLAIN_LINES = Array.from({ length: 30 - LINES.length }, (_, at): [string, string] => [
	`Seite ${at};https://example.com/seite-${at};seite-${at};;;;;`,
	'unchanged',
]);
const SHEET = [...LINES, ...PLAIN_LINES];

/** What the second run says of a line that the first one has made a link of. */
const WRITTEN = ['unchanged', 'updated'];

/** What the rows say that happened to them. Of an error, only as much as is expected counts. */
const told = (rows: Row[], expected: string[]): string[] =>
	rows.map(({ outcome = '', error = '' }, at) => {
		const said = outcome === 'failed' ? error : outcome;
		return said.slice(0, expected[at]?.length);
	});

test('a sheet of 30 rows, twice, by clicks alone', async () => {
	await client.login(DEMO_OWNER);
	await using stack = new AsyncDisposableStack();
	const sandbox = await startSandbox({
		seed: 'demo',
		rateLimit: { requests: 0, windowSeconds: 60 },
	});
	stack.defer(async () => await sandbox.stop());
	const saved = await saveSandboxCredentials(client, demoAccess(sandbox), {
		suffix: 'of the team',
		data: { requestsPerMinute: 0 },
	});
	const text = [COLUMNS, ...SHEET.map(([line]) => line)].join('\r\n');
	const { id } = await client.importWorkflow(
		inLine('A sheet every week', [
			{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{
				name: 'Text',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				parameters: { jsCode: `return [{ json: ${JSON.stringify({ text })} }];` },
			},
			{
				name: 'File',
				type: 'n8n-nodes-base.convertToFile',
				typeVersion: 1.1,
				parameters: { operation: 'toText', sourceProperty: 'text' },
			},
			{
				name: 'Sheet',
				type: 'n8n-nodes-base.extractFromFile',
				parameters: { operation: 'csv', options: { delimiter: ';' } },
			},
		]),
	);

	await editor().openWorkflow(id);
	const credential = saved.find(({ type }) => type === 'linkManagementApi')?.name ?? '';
	await editor().appendAction('Link Management', 'Create or update short link', credential);
	await editor().runNodesBefore();
	await editor().choose('mappingMode', 'Map Automatically');
	await editor().screenshot('sheet 1 mapped automatically');

	await editor().runStep();
	const stopped = editor().page.getByTestId('node-error-message');
	await stopped.getByText(/item 13 of 30: nothing was sent/).waitFor();
	expect(sandbox.requests).toEqual([]);
	await editor().screenshot('sheet 2 the first row that cannot be sent');

	await editor().chooseSetting('onError', 'Continue');
	const first = await editor().runStepUntil('created');
	await editor().screenshot('sheet 3 created');
	const unchanged = SHEET.map(([, says]) => says);
	const created = unchanged.map((says) => (WRITTEN.includes(says) ? 'created' : says));
	expect(told(first, created)).toEqual(created);
	expect(Object.keys(first[0] ?? {})[0]).toBe('outcome');
	await editor().page.getByText('Some columns of the input filled no field').waitFor();
	const assigned = sandbox.requests.filter(({ path }) => path.includes('/assign/'));
	expect(assigned.map(({ status }) => status)).toEqual([200, 200, 200]);

	sandbox.clearRequests();
	const second = await editor().runStepUntil('unchanged');
	await editor().screenshot('sheet 4 unchanged');
	expect(told(second, unchanged)).toEqual(unchanged);
	expect(second.map((row) => row.Titel)).toEqual(SHEET.map(([line]) => line.split(';')[0]));
	const updated = sandbox.requests.filter(({ method }) => method === 'PUT');
	expect(updated).toHaveLength(unchanged.filter((says) => says === 'updated').length);
	expect(sandbox.requests.filter(({ path }) => path === '/api/url/add')).toEqual([]);
});
