import type { IDataObject } from 'n8n-workflow';

import { campaignRecord, linkDetails, linkRecord, qrCodeRecord, record } from '../records';

/** A list in which new records appear. */
export interface ListEvent {
	name: string;
	/** How the node panel calls it. */
	action: string;
	description: string;
	/** The list's path as the API document prints it, and the name of its array. */
	path: string;
	list: string;
	/** What the list is asked for besides the page. */
	query?: IDataObject;
	read(entry: IDataObject): IDataObject;
	/** Where a record has more to show than its list does. */
	details?: { path(id: number): string; read(body: IDataObject): IDataObject };
}

/** The API has no events (document: "Events"); each of these is a list that grows. */
export const EVENTS: Readonly<Record<string, ListEvent>> = {
	campaignCreated: {
		name: 'Campaign Created',
		action: 'On campaign created',
		description: 'A campaign was added',
		path: '/api/campaigns',
		list: 'campaigns',
		read: campaignRecord,
	},
	channelCreated: {
		name: 'Channel Created',
		action: 'On channel created',
		description: 'A channel was added',
		path: '/api/channels',
		list: 'channels',
		read: record,
	},
	domainAdded: {
		name: 'Domain Added',
		action: 'On domain added',
		description: 'A branded domain was added',
		path: '/api/domains',
		list: 'domains',
		read: record,
	},
	linkCreated: {
		name: 'Link Created',
		action: 'On link created',
		description: 'A short link was created',
		path: '/api/urls',
		list: 'urls',
		query: { order: 'date' },
		read: linkRecord,
		details: { path: (id) => `/api/url/${id}`, read: linkDetails },
	},
	pixelCreated: {
		name: 'Pixel Created',
		action: 'On pixel created',
		description: 'A tracking pixel was added',
		path: '/api/pixels',
		list: 'pixels',
		read: record,
	},
	qrCodeCreated: {
		name: 'QR Code Created',
		action: 'On QR code created',
		description: 'A QR code was created',
		path: '/api/qr',
		list: 'qrs',
		read: qrCodeRecord,
	},
};
