import { OwnN8n } from './ownN8n.ts';
import { testTriggers } from './triggers.ts';

/** n8n's own durable cursors and scheduler, as docs/installation.md recommends them. */
const env = {
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	// After a start, poll times that have passed since are left out, and not polled all at once.
	N8N_SCHEDULER_MISFIRE_GRACE: '2',
};

const stack = new AsyncDisposableStack();
let n8n: OwnN8n;

beforeAll(async () => {
	const sandbox = { rateLimit: { requests: 0, windowSeconds: 1 } };
	n8n = await OwnN8n.open(stack, { name: 'durable-cursors', env, sandbox });
});
afterAll(async () => await stack.disposeAsync());

testTriggers(() => n8n);
