import { DEMO } from '../../sandbox/demo.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';

/**
 * Every API key and password that the suites enter into n8n, so that the last of them can look whether one of them
 * can be read anywhere. A suite that needs another one adds it here.
 */
export const KEYS = {
	link: DEMO.link.apiKey,
	store: DEMO.store.apiKey,
	emptyStore: DEMO.emptyStore.apiKey,
	owner: DEMO_OWNER.password,
	/** Of the account through which every operation runs */
	/** Of the account that two workers share */
	queue: 'queue-mode-key-0123456789',
	/** Of an account that has nothing yet */
	newcomer: 'newcomer-key-0123456789',
	model: 'scripted-model-key-0123456789',
	/** One that no service knows */
	mistyped: 'mistyped-key-0123456789',
} as const;
