// All events of the trigger as data, and which poll finds each.

import { REQUESTS_PER_POLL, shownEvent, type TriggerDefinition } from '../../shared/triggers/poll';
import { inputFailure, quoted } from '../../shared/values/failure';
import { linkService } from '../service';
import {
	campaigns,
	channels,
	ctaOverlays,
	domains,
	type PagedList,
	pixels,
	qrCodes,
	splashPages,
} from '../serviceLists';
import {
	channelItems,
	type CountEvent,
	linkClicks,
	linkMilestones,
	linksByDate,
	newRecords,
	qrCodeMilestones,
} from './countEvents';
import { triggerFields } from './triggerFields';
import { pollCounts } from './pollCounts';
import { pollList } from './pollList';

/** New records of a list by creation: the API itself has no events (document: "Events"). */
const LIST_EVENTS: Readonly<Record<string, PagedList>> = {
	linkCreated: linksByDate,
	qrCodeCreated: qrCodes,
};

/** What is read whole in each poll: counts, and lists that may be by name. */
const COUNT_EVENTS: Readonly<Record<string, CountEvent>> = {
	campaignCreated: newRecords(campaigns),
	channelCreated: newRecords(channels),
	channelItemAdded: channelItems,
	clicksReached: linkMilestones,
	domainAdded: newRecords(domains),
	linkClicked: linkClicks,
	overlayCreated: newRecords(ctaOverlays),
	pixelCreated: newRecords(pixels),
	scansReached: qrCodeMilestones,
	splashPageCreated: newRecords(splashPages),
};

export const EVENTS = {
	campaignCreated: shownEvent('Campaign Created', 'A campaign was added'),
	channelCreated: shownEvent('Channel Created', 'A channel was added'),
	channelItemAdded: shownEvent(
		'Channel Item Added',
		'A link, bio page or QR code was put into a channel',
	),
	clicksReached: shownEvent(
		'Click Milestone Reached',
		'The clicks of a link reached a milestone, such as 100',
	),
	overlayCreated: shownEvent('CTA Overlay Created', 'A call-to-action overlay was added'),
	domainAdded: shownEvent('Domain Added', 'A branded domain was added'),
	linkClicked: shownEvent('Link Clicked', 'A link was clicked since the last poll'),
	linkCreated: shownEvent('Link Created', 'A short link was created'),
	pixelCreated: shownEvent('Pixel Created', 'A tracking pixel was added'),
	qrCodeCreated: shownEvent('QR Code Created', 'A QR code was created'),
	scansReached: shownEvent(
		'Scan Milestone Reached',
		'The scans of a QR code reached a milestone, such as 100',
	),
	splashPageCreated: shownEvent('Splash Page Created', 'A custom splash page was added'),
};

export const trigger: TriggerDefinition = {
	service: linkService,
	fields: triggerFields,
	requests: REQUESTS_PER_POLL,
	watchKey(parameters) {
		const event = String(parameters.event);
		const counts = COUNT_EVENTS[event];
		if (!counts) return event;
		const pick = counts.pick(parameters);
		const picked = typeof pick === 'object' ? pick.name : pick;
		return JSON.stringify([event, counts.setting?.(parameters), picked]);
	},
	async poll(poll) {
		const name = String(poll.parameters.event);
		const [list, counts] = [LIST_EVENTS[name], COUNT_EVENTS[name]];
		if (list) return await pollList(poll, list);
		if (counts) return await pollCounts(poll, counts);
		throw inputFailure(`There is no event ${quoted(name)}`, 'Pick one from the list');
	},
};
