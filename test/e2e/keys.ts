import { DEMO } from '../../sandbox/demo.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';

/** Every API key and password that the suites enter into n8n. After them, `keySearch.ts` looks for each of them. */
export const KEYS = {
	link: DEMO.link.apiKey,
	store: DEMO.store.apiKey,
	emptyStore: DEMO.emptyStore.apiKey,
	owner: DEMO_OWNER.password,
	queue: 'queue-mode-key-0123456789',
	model: 'scripted-model-key-0123456789',
	/** One that no service knows */
	mistyped: 'mistyped-key-0123456789',
} as const;
