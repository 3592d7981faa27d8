// The contact of a QR code, as people have it in an address book.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fieldFailure } from '../../../shared/values/failure';
import {
	isBlank,
	parseLine,
	parseNumericLine,
	type ParseValue,
} from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { textField } from '../../resourceFields';
import { parseWebAddress } from '../../values/address';
import { parsePhone } from '../../values/phone';

/** By the names that services read. */
const PARTS: ReadonlyArray<[label: string, name: string, example: string, ParseValue<string>]> = [
	['City', 'city', 'Berlin', parseLine],
	['Company', 'company', 'Example Ltd', parseLine],
	['Country', 'country', 'Germany', parseLine],
	['Email', 'email', 'name@email.com', parseLine],
	['First Name', 'fname', 'Ada', parseLine],
	['Last Name', 'lname', 'Lovelace', parseLine],
	['Phone', 'phone', '+49 30 901820', parsePhone],
	['Postal Code', 'zip', '10117', parseNumericLine],
	['State', 'state', 'Berlin', parseLine],
	['Street', 'street', 'Unter den Linden 1', parseLine],
	['Website', 'site', 'https://www.example.com', parseWebAddress],
];

export const contactField: INodeProperties = {
	displayName: 'Contact',
	name: 'vcard',
	type: 'collection',
	placeholder: 'Add Field',
	default: { fname: '', lname: '', phone: '', email: '' },
	description: 'The contact that the QR code adds to an address book',
	options: PARTS.map(([label, name, example]) => ({
		...textField(label, name, example),
		description: `The ${label.toLowerCase()} of the contact`,
	})),
};

/** The parts that have a value. @throws Failure if there are none */
export function parseContact(label: string, value: unknown): IDataObject {
	const entered = mapIn(value);
	const filled = PARTS.filter(([, name]) => !isBlank(entered[name]));
	if (filled.length === 0) throw fieldFailure(label, 'is empty', 'Fill in at least one field');
	const contact: IDataObject = {};
	for (const [part, name, , parse] of filled) contact[name] = parse(part, entered[name]);
	// Services read the company under `org`.
	return 'company' in contact ? { ...contact, org: contact.company } : contact;
}
