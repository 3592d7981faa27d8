import type { Collection, Sample } from '../operationSample.ts';
import {
	column,
	deletion,
	fresh,
	idIn,
	invalid,
	isOf,
	listed,
	listing,
	maker,
	newDomain,
	several,
	unknown,
	updated,
	webAddress,
	withRecord,
} from '../operationSample.ts';
import { A_NUMBER } from '../support.ts';

const DOMAINS: Collection = {
	what: 'domain',
	locator: 'domainId',
	path: '/api/domain',
	list: '/api/domains',
	make: maker('/api/domain', () => ({
		domain: newDomain(),
		redirectroot: 'https://example.com/root',
		redirect404: 'https://example.com/404',
	})),
	record: ({ id, domain: address, redirectroot, redirect404 }) => ({
		id,
		domain: address,
		redirectroot,
		redirect404,
	}),
};

export const domain: Record<string, Sample> = {
	create: {
		kind: 'write',
		request: 'POST /api/domain/add',
		parameters: { domain: column('domain'), additionalFields: {} },
		rows: fresh(() => ({ domain: newDomain() })),
		body: (row) => row,
		output: { id: A_NUMBER },
		written: listed(DOMAINS.list, (record, row) => record.domain === row.domain),
		...invalid('go.invalid does not point to this server yet.', {
			row: { domain: 'https://go.invalid' },
		}),
		examples: [
			{
				title: 'sends the redirects that were added',
				parameters: {
					additionalFields: { rootRedirect: column('root'), notFoundRedirect: column('missing') },
				},
				rows: async () =>
					await several(1, () => ({
						domain: newDomain(),
						root: webAddress(),
						missing: webAddress(),
					})),
				body: ({ domain: address, root, missing }) => ({
					domain: address,
					redirectroot: root,
					redirect404: missing,
				}),
			},
		],
	},
	delete: deletion(DOMAINS),
	getAll: listing(DOMAINS),
	update: {
		kind: 'write',
		request: 'PUT /api/domain/:id/update',
		parameters: { domainId: idIn('id'), updateFields: { rootRedirect: column('redirect') } },
		rows: withRecord(DOMAINS.make, () => ({ redirect: webAddress() })),
		body: ({ redirect }) => ({ redirectroot: redirect }),
		output: updated('domain'),
		written: listed(
			DOMAINS.list,
			(record, row) => isOf(record, row) && record.redirectroot === row.redirect,
		),
		...unknown('domain', { redirect: '' }),
		examples: [
			{
				title: 'sends a redirect that was added empty empty, and no other',
				parameters: { updateFields: { notFoundRedirect: '' } },
				body: { redirect404: '' },
			},
		],
	},
};
