import {
	campaigns,
	channels,
	ctaOverlays,
	domains,
	links,
	type PagedList,
	pixels,
	qrCodes,
	splashPages,
} from '../lists';
import {
	channelItems,
	type CountEvent,
	linkClicks,
	linkMilestones,
	qrCodeMilestones,
} from './countEvents';

interface EventName {
	name: string;
	action: string;
	description: string;
}

/** A list in which new records appear. */
export interface ListEvent extends EventName {
	list: PagedList;
	/** Whether the list is by date. Others may be by name, so they are read whole while they are short. */
	isSorted?: boolean;
}

/** Events of new records in a list: the API itself has no events (document: "Events"). */
export const LIST_EVENTS: Readonly<Record<string, ListEvent>> = {
	campaignCreated: {
		name: 'Campaign Created',
		action: 'On campaign created',
		description: 'A campaign was added',
		list: campaigns,
	},
	channelCreated: {
		name: 'Channel Created',
		action: 'On channel created',
		description: 'A channel was added',
		list: channels,
	},
	domainAdded: {
		name: 'Domain Added',
		action: 'On domain added',
		description: 'A branded domain was added',
		list: domains,
	},
	linkCreated: {
		name: 'Link Created',
		action: 'On link created',
		description: 'A short link was created',
		list: { ...links, source: { ...links.source, query: { order: 'date' } } },
		isSorted: true,
	},
	overlayCreated: {
		name: 'CTA Overlay Created',
		action: 'On CTA overlay created',
		description: 'A call-to-action overlay was added',
		list: ctaOverlays,
	},
	pixelCreated: {
		name: 'Pixel Created',
		action: 'On pixel created',
		description: 'A tracking pixel was added',
		list: pixels,
	},
	qrCodeCreated: {
		name: 'QR Code Created',
		action: 'On QR code created',
		description: 'A QR code was created',
		list: qrCodes,
		isSorted: true,
	},
	splashPageCreated: {
		name: 'Splash Page Created',
		action: 'On splash page created',
		description: 'A custom splash page was added',
		list: splashPages,
	},
};

/** Events that are found by comparing the count of each record with the count of the last reading. */
export const COUNT_EVENTS: Readonly<Record<string, CountEvent & EventName>> = {
	channelItemAdded: {
		name: 'Channel Item Added',
		action: 'On channel item added',
		description: 'A link, bio page or QR code was put into a channel',
		...channelItems,
	},
	clicksReached: {
		name: 'Click Milestone Reached',
		action: 'On click milestone reached',
		description: 'The clicks of a link reached a milestone, such as 100',
		...linkMilestones,
	},
	linkClicked: {
		name: 'Link Clicked',
		action: 'On link clicked',
		description: 'A link was clicked since the last poll',
		...linkClicks,
	},
	scansReached: {
		name: 'Scan Milestone Reached',
		action: 'On scan milestone reached',
		description: 'The scans of a QR code reached a milestone, such as 100',
		...qrCodeMilestones,
	},
};

/** All events, in the order of their names. */
export const EVENTS: Readonly<Record<string, EventName>> = Object.fromEntries(
	Object.entries({ ...LIST_EVENTS, ...COUNT_EVENTS }).toSorted(([, a], [, b]) =>
		a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }),
	),
);
