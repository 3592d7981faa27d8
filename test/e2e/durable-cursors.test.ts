import { testTriggers } from './triggers.ts';

/** n8n's own durable cursors and scheduler, as docs/installation.md recommends them. */
testTriggers('durable-cursors', {
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	// After a start, poll times that have passed since are left out, and not polled all at once.
	N8N_SCHEDULER_MISFIRE_GRACE: '2',
});
