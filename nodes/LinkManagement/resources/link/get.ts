import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../shared/operations/operation';
import { simplified, simplifyField } from '../../../shared/operations/fields';
import type { GetParameter } from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { extraQueryOption } from '../../fields';
import { linkLocator } from '../../locators';
import { linkDetails } from '../../records';
import { linkOperation } from '../../results';

export const linkGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get short link',
	description: 'Return the details of a short link with its clicks',
	request: { method: 'GET', url: '/api/url/:linkId' },
	pagination: linkOperation({
		results: (body, _request, { parameter }) => [simpleLink(linkDetails(body), parameter)],
	}),
	fields: [linkLocator, simplifyField, extraQueryOption],
};

const MEMBERS = ['id', 'alias', 'shorturl', 'longurl', 'title', 'expiry', 'date', 'statistics'];

/** A simplified link has of its statistics only the totals. */
function simpleLink(details: IDataObject, parameter: GetParameter): IDataObject {
	const { statistics, ...link } = simplified(details, parameter, MEMBERS);
	return {
		...link,
		statistics: simplified(mapIn(statistics), parameter, ['clicks', 'uniqueClicks']),
	};
}
