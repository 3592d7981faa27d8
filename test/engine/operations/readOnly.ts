import type { Sample } from '../operationSample.ts';
import { listing, named } from '../operationSample.ts';
import { DATETIME } from '../support.ts';

/** Splash pages and CTA overlays, which the API can only list. */

export const splashPage: Record<string, Sample> = {
	getAll: listing({
		list: '/api/splash',
		async make({ sandbox, linkAccount }) {
			const name = named('Splash page');
			return await Promise.resolve({ id: sandbox.links.addSplashPage(linkAccount.id, name), name });
		},
		record: ({ id, name }) => ({ id, name, date: DATETIME }),
	}),
};

export const ctaOverlay: Record<string, Sample> = {
	getAll: listing({
		list: '/api/overlay',
		async make({ sandbox, linkAccount }) {
			const name = named('Overlay');
			const id = sandbox.links.addOverlay(linkAccount.id, name, 'contact');
			return await Promise.resolve({ id, name });
		},
		record: ({ id, name }) => ({ id, type: 'contact', name, date: DATETIME }),
	}),
};
