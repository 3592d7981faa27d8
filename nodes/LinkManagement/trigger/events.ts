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

/**
 * What each event watches, because the API has no events (document: "Events"): a list by creation, of which the newest records are read,
 * or what is read whole in each poll: counts, and lists that may be by name.
 */
const WATCHED: Readonly<Record<string, PagedList | CountEvent>> = {
	campaignCreated: newRecords(campaigns),
	channelCreated: newRecords(channels),
	channelItemAdded: channelItems,
	clicksReached: linkMilestones,
	domainAdded: newRecords(domains),
	linkClicked: linkClicks,
	linkCreated: linksByDate,
	overlayCreated: newRecords(ctaOverlays),
	pixelCreated: newRecords(pixels),
	qrCodeCreated: qrCodes,
	scansReached: qrCodeMilestones,
	splashPageCreated: newRecords(splashPages),
} satisfies Record<keyof typeof EVENTS, PagedList | CountEvent>;

export const trigger: TriggerDefinition = {
	service: linkService,
	fields: triggerFields,
	requests: REQUESTS_PER_POLL,
	watchKey(parameters) {
		const event = String(parameters.event);
		const watched = WATCHED[event];
		if (!watched || !('watch' in watched)) return event;
		const pick = watched.pick(parameters);
		const picked = typeof pick === 'object' ? pick.name : pick;
		return JSON.stringify([event, watched.setting?.(parameters), picked]);
	},
	async poll(poll) {
		const name = String(poll.parameters.event);
		const watched = WATCHED[name];
		if (!watched) throw inputFailure(`There is no event ${quoted(name)}`, 'Pick one from the list');
		return 'watch' in watched ? await pollCounts(poll, watched) : await pollList(poll, watched);
	},
};
