import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, selectors } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';

import type { Owner } from '../n8n-host/client.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';
import { CHROMIUM_FLAGS, ensureChromium } from './chromium.ts';
import { resultsFolder } from './stage.ts';

const VIEWPORT = { width: 1440, height: 900 };
const ACTION_TIMEOUT_MS = 20_000;

/** n8n's editor in a headless browser, in the words of somebody who uses it. */
export class Editor {
	readonly page: Page;
	readonly #browser: Browser;
	readonly #url: string;
	#shots = 0;

	private constructor(browser: Browser, page: Page, url: string) {
		this.#browser = browser;
		this.page = page;
		this.#url = url;
	}

	static async open(url: string): Promise<Editor> {
		const executablePath = ensureChromium();
		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
		const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' });
		context.setDefaultTimeout(ACTION_TIMEOUT_MS);
		return new Editor(browser, await context.newPage(), url);
	}

	async close(): Promise<void> {
		await this.#browser.close();
	}

	async logIn({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.page.goto(`${this.#url}/signin`);
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.waitForURL(/\/home\//);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.#url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/**
	 * Opens the node panel of an empty workflow and types what is looked for.
	 *
	 * @returns the names found. A new panel each time, because one that shows another search's results keeps them for a
	 * moment.
	 */
	async searchNodes(words: string): Promise<Locator> {
		await this.page.goto(`${this.#url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').fill(words);
		return this.page.getByTestId('node-creator-item-name');
	}

	/** The one click that runs the open workflow, and the wait for its success. */
	async execute(): Promise<void> {
		const button = this.page.getByTestId('execute-workflow-button');
		await button.click();
		await this.page.getByText('Workflow executed successfully').waitFor();
		await button.getByText('Execute workflow').waitFor();
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.page.getByTestId('ndv').waitFor();
	}

	/** Keeps what is on the screen as a numbered picture in the results folder. */
	async screenshot(title: string): Promise<void> {
		const folder = join(resultsFolder(), 'screenshots');
		mkdirSync(folder, { recursive: true });
		const number = String(++this.#shots).padStart(2, '0');
		const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
		await this.page.screenshot({
			path: join(folder, `${number}-${name}.png`),
			animations: 'disabled',
		});
	}
}

/**
 * An editor for all tests of a file, the owner logged in, and a screenshot of how each test ends: of a failed one that is
 * the explanation.
 *
 * @returns a function that gives the editor, once tests run
 */
export function withEditor(url: string): () => Editor {
	let editor: Editor | undefined;
	const current = () => {
		if (editor === undefined) throw new Error('The editor is not open');
		return editor;
	};
	beforeAll(async () => {
		editor = await Editor.open(url);
		await editor.logIn(DEMO_OWNER);
	});
	afterEach(async () => {
		await editor?.screenshot(expect.getState().currentTestName ?? 'end');
	});
	afterAll(async () => {
		await editor?.close();
	});
	return current;
}
