import type { Watch } from '../../shared/triggers/runPoll';
import { inputFailure, quoted } from '../../shared/values/failure';
import { linkService } from '../service';
import { COUNT_EVENTS, LIST_EVENTS } from './events';
import { triggerFields } from './fields';
import { pollList } from './pollList';
import { pollPicked } from './pickedRecords';

export const watchEvents: Watch = {
	service: linkService,
	fields: triggerFields,
	source(parameter) {
		const event = String(parameter('event'));
		const counts = COUNT_EVENTS[event];
		return counts
			? JSON.stringify([event, counts.setting?.(parameter), counts.picked(parameter)])
			: event;
	},
	async poll(poll) {
		const name = String(poll.parameter('event'));
		const [list, counts] = [LIST_EVENTS[name], COUNT_EVENTS[name]];
		if (list) return await pollList(poll, list);
		if (counts) return await pollPicked(poll, counts);
		throw inputFailure(`There is no event ${quoted(name)}`, 'Pick one from the list');
	},
};
