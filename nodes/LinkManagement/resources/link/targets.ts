// The fields that send some visitors of a link to another URL.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { isBlank, type ParseValue, required, requiredLine } from '../../../shared/values/input';
import { mapIn, recordsIn } from '../../../shared/values/json';
import { textField } from '../../fields';
import { address } from '../../values/address';

export const targetFields: readonly INodeProperties[] = [
	targets('Device Targets', 'deviceTargets', 'devicetarget', {
		...textField('Device', 'device', 'iphone'),
		description: 'Visitors on this device go to the URL below',
	}),
	targets('Geo Targets', 'geoTargets', 'geotarget', {
		...textField('Country', 'location', 'Germany'),
		description: 'The country as the service writes it, often its English name',
	}),
	targets('Language Targets', 'languageTargets', 'languagetarget', {
		...textField('Language', 'language', 'de'),
		description: 'Visitors with this language go to the URL below',
	}),
];

/** Rows of a name and the URL that its visitors go to. */
function targets(
	displayName: string,
	name: string,
	property: string,
	what: INodeProperties,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Target',
		default: {},
		description: 'Visitors to send to another URL',
		options: [
			{
				displayName: 'Target',
				name: 'target',
				values: [
					what,
					{
						...textField('Target URL', 'link', 'https://www.example.com/offer'),
						description: 'Where to send these visitors',
					},
				],
			},
		],
		routing: inBody(property, targetsOf(what.name, what.displayName), []),
	};
}

/** Reads rows of `{<what>, link}`; empty rows are left out. The API replaces all targets of a link by these. */
function targetsOf(what: string, label: string): ParseValue<IDataObject[]> {
	return (_label, rows) =>
		recordsIn(mapIn(rows).target)
			.map((row) => ({ name: row[what], link: row.link }))
			.filter(({ name, link }) => !isBlank(name) || !isBlank(link))
			.map(({ name, link }) => ({
				[what]: requiredLine(`${label} of a target`, name),
				link: required(address)('Target URL', link),
			}));
}
