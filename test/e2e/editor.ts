import { join } from 'node:path';

import { chromium, selectors } from 'playwright-core';
import type { Locator, Page } from 'playwright-core';

import type { Owner } from '../n8n-host/client.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';
import { pathOf } from './programs.ts';
import { RESULTS } from './ownN8n.ts';

/** Without these a container cannot run a browser, or the browser asks the internet for things. */
const CHROMIUM_FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const VIEWPORT = { width: 1440, height: 900 };
const ACTION_TIMEOUT_MS = 45_000;

/** n8n's editor in a headless browser, in the words of somebody who uses it. */
export class Editor {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	async logIn({ email, password }: Owner): Promise<void> {
		await this.page.goto('/signin');
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.waitForURL(/\/home\//);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Types what is looked for into the node panel, behind the last node, and opens the page of a node. Gives its actions. */
	async openActionsOf(node: string, typed = node): Promise<Locator> {
		await this.page.getByTestId('canvas-handle-plus').last().click();
		await this.page.getByTestId('node-creator-search-bar').fill(typed);
		const items = this.page.getByTestId('node-creator-item-name');
		await items.getByText(node, { exact: true }).first().click();
		return items;
	}

	/** Adds a node behind the last one of the open workflow, opens it, and picks its credential. */
	async appendAction(node: string, action: string): Promise<void> {
		const actions = await this.openActionsOf(node);
		await actions.getByText(action, { exact: true }).click();
		await this.page.getByTestId('ndv').waitFor();
		await this.page.getByTestId('node-credentials-select').click();
		const credentials = this.page.locator('[data-test-id^="node-credentials-select-item-"]');
		await credentials.getByText(`${node} account`, { exact: true }).click();
	}

	/** Picks an option of the opened node. */
	async choose(parameter: string, option: string): Promise<void> {
		await this.page.getByTestId(`parameter-input-${parameter}`).click();
		const options = this.page.getByRole('option').filter({ visible: true });
		await options.getByText(option, { exact: true }).click();
	}

	/** Opens the list of a locator in the opened node, and types into its search. Gives what the list then holds. */
	async searchList(parameter: string, words: string): Promise<Locator> {
		await this.page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
		const items = this.page.getByTestId('rlc-item');
		await items.first().waitFor();
		await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(words);
		const wanted = new RegExp(words, 'i');
		await items.filter({ hasNotText: wanted }).first().waitFor({ state: 'hidden' });
		await items.filter({ hasText: wanted }).first().waitFor();
		return items;
	}

	/** Picks an option of *Settings* in the opened node. */
	async chooseSetting(setting: string, option: string): Promise<void> {
		await this.page.getByTestId('tab-settings').click();
		await this.choose(setting, option);
		await this.page.getByTestId('tab-params').click();
	}

	/** Runs the opened node, and gives its output panel. */
	async runStep(): Promise<Locator> {
		// While a step runs, its button has another label and ignores clicks.
		await this.page.getByTestId('node-execute-button').getByText('Execute step').click();
		return this.page.getByTestId('output-panel');
	}

	/** Runs the opened node until its table has a cell with that text. Gives all its rows, by the names of their columns. */
	async runStepUntil(text: string): Promise<Array<Record<string, string>>> {
		const output = await this.runStep();
		await output.locator('td').getByText(text, { exact: true }).first().waitFor();
		const lines = await output.locator('table tr').all();
		const cellsOf = (line: Locator) => line.locator('th, td').allInnerTexts();
		const [header = [], ...rows] = await Promise.all(lines.map(cellsOf));
		return rows.map((cells) =>
			Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''] as const)),
		);
	}

	/** Opens a new credential of the type with that name. */
	async openNewCredential(type: string): Promise<void> {
		await this.page.goto('/home/credentials/create');
		await this.page.getByTestId('new-credential-type-select').locator('input').fill(type);
		const types = this.page.getByTestId('new-credential-type-select-option');
		await types.getByText(type, { exact: true }).click();
		await this.page.getByTestId('new-credential-type-button').click();
		// n8n proposes a name a moment later, and saves nothing without one.
		await this.page
			.getByTestId('credential-name')
			.getByText(/ account/)
			.first()
			.waitFor({ state: 'attached' });
	}

	/**
	 * Saves the opened credential with these texts, by the names of their parameters. Gives what n8n says of the connection that
	 * it makes, with its details: all above the fields.
	 */
	async saveCredential(fields: Record<string, string>): Promise<string> {
		for (const [name, value] of Object.entries(fields)) {
			const field = this.page.getByTestId(`parameter-input-${name}`);
			await field.locator('input, textarea').first().fill(value);
		}
		await this.page.getByTestId('credential-save-button').click();
		const form = this.page.getByTestId('node-credentials-config-container');
		const success = form.getByText('Connection tested successfully');
		const details = form.getByText('More details');
		await success.or(details).filter({ visible: true }).waitFor();
		if (await details.isVisible()) {
			await details.click();
			await details.waitFor({ state: 'hidden' });
		}
		return (await form.innerText()).split('Base URL')[0] ?? '';
	}

	/** The one click that runs the open workflow, and the wait for its success. */
	async execute(): Promise<void> {
		const button = this.page.getByTestId('execute-workflow-button');
		await button.click();
		await this.page.getByText('Workflow executed successfully').waitFor();
		await button.getByText('Execute workflow').waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.page.getByTestId('ndv').waitFor();
	}

	/** Keeps what is on the screen as a picture in the results folder. */
	async screenshot(title: string): Promise<void> {
		const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
		const path = join(RESULTS, 'screenshots', `${name}.png`);
		await this.page.screenshot({ path, animations: 'disabled' });
	}
}

/** An editor in a browser of its own, which the stack ends, the owner logged in. */
export async function openEditor(stack: AsyncDisposableStack, url: string): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const executablePath = pathOf('chromium');
	const browser = stack.use(await chromium.launch({ executablePath, args: CHROMIUM_FLAGS }));
	const context = await browser.newContext({
		baseURL: url,
		viewport: VIEWPORT,
		locale: 'en-GB',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(ACTION_TIMEOUT_MS);
	const editor = new Editor(await context.newPage());
	await editor.logIn(DEMO_OWNER);
	return editor;
}
