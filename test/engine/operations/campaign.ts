import type { IDataObject } from 'n8n-workflow';

import type { Collection, Fields, Sample } from '../operationSample.ts';
import {
	NONE,
	column,
	deletion,
	fresh,
	idIn,
	invalid,
	isOf,
	listed,
	listing,
	maker,
	named,
	serial,
	several,
	unknown,
	withRecord,
} from '../operationSample.ts';
import type { Stage } from '../support.ts';
import { A_NUMBER, textOf } from '../support.ts';
import { newLink } from './link.ts';

/** What the service says of one, its name under `name` in every dialect. */
const campaignOf = (
	{ id, name, slug, public: isPublic = false }: IDataObject,
	{ sandbox: { linkUrl } }: Stage,
): Fields => ({
	id,
	name,
	public: isPublic,
	rotator: typeof slug === 'string' ? `${linkUrl}/r/${slug}` : false,
	list: `${linkUrl}/campaign/${Number(id)}`,
});

/** The ID of a new one is known only from its answer, and so is its list. */
const newCampaignOf = (row: IDataObject, stage: Stage): Fields => ({
	...campaignOf(row, stage),
	id: A_NUMBER,
	list: expect.stringMatching(/\/campaign\/\d+$/) as unknown,
});

export const CAMPAIGNS: Collection = {
	what: 'campaign',
	locator: 'campaignId',
	path: '/api/campaign',
	list: '/api/campaigns',
	make: maker('/api/campaign', () => ({ name: named('Campaign'), public: true })),
	record: campaignOf,
};

const isNamed = ({ name, domain }: Fields, row: IDataObject) => [name, domain].includes(row.name);
const withSlug = async (stage: Stage) => [
	await CAMPAIGNS.make(stage, { slug: `spring-${serial()}` }),
];

export const campaign: Record<string, Sample> = {
	assignLink: {
		kind: 'write',
		request: 'POST /api/campaign/:campaignid/assign/:linkid',
		parameters: { campaignId: idIn('campaignid'), linkId: idIn('linkid') },
		async rows(stage, count) {
			const { id: campaignid } = await CAMPAIGNS.make(stage);
			return await several(count, async () => {
				const metatitle = named('Assigned');
				const { id: linkid } = await newLink(stage, { metatitle });
				return { campaignid, linkid, metatitle };
			});
		},
		output: ({ campaignid, linkid }) => ({
			success: true,
			campaignId: campaignid,
			linkId: linkid,
			message: 'The link has been assigned to the campaign.',
		}),
		// No answer of the API tells the links of a campaign; its public page does.
		async written(stage, rows) {
			const pages = rows.map(async ({ campaignid, metatitle }) => {
				const page = await fetch(`${stage.sandbox.linkUrl}/campaign/${Number(campaignid)}`);
				return (await page.text()).split(`>${textOf(metatitle)}</a>`).length - 1;
			});
			return (await Promise.all(pages)).reduce((sum, times) => sum + times, 0);
		},
		...unknown('campaign', { campaignid: NONE, linkid: 1 }),
	},
	create: {
		kind: 'write',
		request: 'POST /api/campaign/add',
		parameters: { name: column('name'), additionalFields: {} },
		rows: fresh(() => ({ name: named('Campaign') })),
		body: ({ name }) => ({ name }),
		output: newCampaignOf,
		written: listed(CAMPAIGNS.list, isNamed),
		...invalid('slug must have 1 to 64 letters, digits, - or _ and nothing else.', {
			row: { name: 'x' },
			parameters: { additionalFields: { slug: 'two words' } },
			advice: 'Check Slug',
		}),
		examples: [
			{
				title: 'sends the slug and the access flag that were added',
				parameters: { additionalFields: { slug: column('slug'), public: column('public') } },
				rows: [
					{ name: 'Spring', slug: 'spring', public: true },
					{ name: 'Summer', slug: 'summer', public: false },
				],
				body: (row) => row,
			},
			{
				title: 'without a name lets the service choose one',
				parameters: { name: '' },
				rows: [{}],
				body: undefined,
				output: (_row, stage) => newCampaignOf({ name: 'Untitled campaign' }, stage),
			},
		],
	},
	delete: deletion(CAMPAIGNS),
	getAll: listing(CAMPAIGNS),
	update: {
		kind: 'write',
		request: 'PUT /api/campaign/:id/update',
		parameters: { campaignId: idIn('id'), name: column('name'), updateFields: {} },
		rows: withRecord(CAMPAIGNS.make, () => ({ name: named('Renamed') })),
		body: ({ name }) => ({ name }),
		output: (row, stage) => ({ success: true, ...campaignOf(row, stage) }),
		written: listed(CAMPAIGNS.list, (record, row) => isOf(record, row) && isNamed(record, row)),
		...unknown('campaign', { name: 'x' }),
		examples: [
			{ title: 'leaves a slug alone that was not added', rows: withSlug },
			{
				title: 'clears a slug that was added empty, and sends a switch that is off',
				rows: withSlug,
				parameters: { updateFields: { slug: '', public: false } },
				body: ({ name }) => ({ name, slug: '', public: false }),
				output: ({ id, name }, stage) => ({ success: true, ...campaignOf({ id, name }, stage) }),
			},
		],
	},
};
