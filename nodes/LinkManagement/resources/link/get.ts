// *Get*: the details of a link.

import type { IDataObject } from 'n8n-workflow';

import { type Operation } from '../../../shared/operations/operation';
import { simplifyField, simplified } from '../../../shared/operations/panelFields';
import { type ParameterValues } from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { linkLocator } from '../../locators';
import { linkDetailsOf } from '../../records';
import { extraQueryOption } from '../../resourceFields';
import { links } from '../../serviceLists';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get short link',
	description: 'Return the details of a short link with its clicks',
	request: { method: 'GET', url: '/api/url/:linkId' },
	prepare:
		({ parameters }) =>
		async (request, row) => {
			const id = row.id('linkId');
			const found = row.list(links).get(id);
			// A link that was looked up by its short URL came with its details.
			const isComplete = found !== undefined && 'statistics' in found;
			const details =
				isComplete && Object.keys(request.query).length === 0
					? found
					: linkDetailsOf((await row.send(request)).body, id);
			return [{ json: simpleLink(details, parameters) }];
		},
	fields: [linkLocator, simplifyField, extraQueryOption],
};

const SIMPLE_LINK = ['id', 'alias', 'shorturl', 'longurl', 'title', 'expiry', 'date', 'statistics'];

/** A simplified link has of its statistics only the totals. */
function simpleLink(details: IDataObject, parameters: ParameterValues): IDataObject {
	const { statistics, ...link } = simplified(details, parameters, SIMPLE_LINK);
	return {
		...link,
		statistics: simplified(mapIn(statistics), parameters, ['clicks', 'uniqueClicks']),
	};
}
