import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { OfferedOperation } from '../operations.ts';
import { OPERATIONS } from '../operations.ts';
import { byId } from './support.ts';

/** Every field that is sent, as the description has it, filled from the column `value`. */

export const VALUE = '={{ $json.value }}';
export const REFUSED = 'refused before any request';
export const ABSENT = 'not sent';

type Kind =
	| 'text'
	| 'choice'
	| 'address'
	| 'addressPart'
	| 'webAddress'
	| 'flag'
	| 'hexColor'
	| 'rgbColor'
	| 'moment';

export interface Case {
	name: string;
	operation: OfferedOperation;
	field: INodeProperties;
	/** The operation cannot do without it. */
	isNeeded: boolean;
	parameters: INodeParameters;
	kind: Kind;
	/** What is sent for an empty value, and for none. */
	empty: unknown;
	none: unknown;
	find: (body: IDataObject) => unknown;
}

/** Other values that an operation needs before it sends anything. */
const NEEDED: INodeParameters = {
	...{ url: 'https://example.com', domain: 'https://go.example.com', name: 'x', tag: 'x' },
	...{ text: 'x', phone: '1', email: 'a@example.com', ssid: 'x', purchaseCode: 'x' },
	...{ customAlias: 'x', encryption: 'WPA' },
};

/** Another field, without which an update would be refused if the first one has no value. */
function otherField(
	operation: OfferedOperation,
	options: INodeProperties['options'],
	name: string,
): INodeParameters {
	if (!isUpdate(operation)) return {};
	// With a long URL the node need not read the present one, which no link has here.
	if (operation.name === 'link.update') return { url: 'https://a.b' };
	const other = options?.find((option) => option.name !== name && option.name !== 'extraFields');
	if (other === undefined || !('type' in other)) return {};
	const ofType: INodeParameters = { color: '#ff9900', boolean: true };
	return { [other.name]: ofType[other.type] ?? NEEDED[other.name] ?? 'https://a.b' };
}

export const isUpdate = ({ option }: OfferedOperation): boolean =>
	option.routing?.request?.method === 'PUT';

function kindOf({ name }: OfferedOperation, field: INodeProperties): Kind {
	if (field.type === 'options') return 'choice';
	if (field.type === 'boolean') return 'flag';
	if (field.type === 'color') return name.startsWith('qrCode') ? 'rgbColor' : 'hexColor';
	if (field.type === 'dateTime') return 'moment';
	if (field.name === 'metaImage' || `${name} ${field.name}` === 'domain.create domain')
		return 'webAddress';
	if (/^url$|^link$|Redirect$/.test(field.name)) return 'address';
	return IN_ADDRESS.includes(field.name) ? 'addressPart' : 'text';
}

/** Names of fields whose texts become part of an address. */
const IN_ADDRESS = [
	...['customAlias', 'domain', 'slug', 'logo', 'value'],
	...['source', 'medium', 'campaign', 'term', 'content'],
];

const inMode = ({ modes }: INodeProperties, value: string): INodeParameters[string] =>
	modes ? { __rl: true, mode: modes.at(-1)?.name ?? '', value } : value;

export const needed = ({ fields }: OfferedOperation): INodeParameters =>
	Object.fromEntries(
		fields.flatMap((field) => {
			if (field.type === 'resourceLocator') return field.required ? [[field.name, byId(1)]] : [];
			return field.name in NEEDED ? [[field.name, NEEDED[field.name]]] : [];
		}),
	);

/** What else has to be chosen for a field to be shown. */
export const shownWith = ({ displayOptions }: INodeProperties): INodeParameters =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) => {
			const [value] = values ?? [];
			const isChoice = !/resource|operation/.test(name) && typeof value === 'string';
			return isChoice ? [[name.replace('/', ''), value]] : [];
		}),
	);

/** The cases of one field; `place` puts its value among the parameters. */
function casesOf(
	operation: OfferedOperation,
	field: INodeProperties,
	place: (value: INodeParameters[string]) => INodeParameters,
	isTop: boolean,
): Case[] {
	const { name, type, routing } = field;
	const isMatchedBy = operation.name === 'link.upsert' && name === 'customAlias';
	const required = field.required === true || isMatchedBy;
	const clears = isUpdate(operation);
	const one = (
		path: string,
		entered: INodeParameters[string],
		given: Pick<Case, 'empty' | 'none' | 'find'> & Partial<Case>,
	): Case => ({
		name: `${operation.name} ${path}`,
		operation,
		field,
		isNeeded: isTop && required,
		parameters: { ...needed(operation), ...shownWith(field), ...place(entered) },
		kind: kindOf(operation, field),
		...given,
	});

	if (name === 'utm' || name === 'vcard') {
		// A contact has a name, and tags are in the long URL.
		return (field.options ?? []).map((part) => {
			const nameOfContact = { [part.name === 'fname' ? 'lname' : 'fname']: 'x' };
			return one(
				`${name}.${part.name}`,
				{ ...(name === 'vcard' ? nameOfContact : {}), [part.name]: VALUE },
				{
					...{ empty: ABSENT, none: ABSENT },
					find: ({ data, url }) =>
						name === 'vcard'
							? (data as IDataObject | undefined)?.[part.name]
							: (new URL(url as string).searchParams.get(`${name}_${part.name}`) ?? undefined),
				},
			);
		});
	}
	if (type === 'fixedCollection') {
		const [group] = field.options ?? [];
		const values = group && 'values' in group ? group.values : [];
		const member = name === 'parameters' ? name : (routing?.send?.property ?? '');
		const other = (part: INodeProperties) => inMode(part, part.name === 'link' ? 'a:b' : 'x');
		return values.map((part) => {
			const row = Object.fromEntries(
				values.map((each) => [each.name, each === part ? inMode(each, VALUE) : other(each)]),
			);
			const blank = part.name === 'value' ? '' : REFUSED;
			return one(
				`${name}.${part.name}`,
				{ [group?.name ?? '']: [row] },
				{
					...{ empty: blank, none: blank },
					field: part,
					kind: kindOf(operation, part),
					find: (body) => pairsIn(body[member])[0]?.[part.name],
				},
			);
		});
	}
	if (field.displayOptions?.show?.qrType) {
		const member = name === 'wifiPassword' ? 'pass' : name;
		const blank = required || type === 'options' ? REFUSED : '';
		const find = ({ data }: IDataObject) =>
			typeof data === 'object' ? (data as IDataObject)[member] : data;
		return [one(name, VALUE, { empty: blank, none: blank, find })];
	}
	const property = routing?.send?.type === 'body' ? routing.send.property : undefined;
	if (property === undefined || type === 'json') return [];
	const cannotClear = type === 'options' || operation.name === 'account.update' || name === 'url';
	const ofUpdate = type === 'boolean' ? false : cannotClear ? REFUSED : '';
	return [
		one(name, inMode(field, VALUE), {
			empty: isTop && required ? REFUSED : clears ? ofUpdate : ABSENT,
			// A link's update without any URL would first read the present one.
			none: (isTop && required) || (clears && name === 'url') ? REFUSED : ABSENT,
			find: (body) => body[property],
		}),
	];
}

const pairsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as IDataObject[]) : [];

export const CASES = OPERATIONS.flatMap((operation) =>
	operation.fields.flatMap((field) => {
		if (field.name !== 'additionalFields' && field.name !== 'updateFields') {
			return casesOf(operation, field, (value) => ({ [field.name]: value }), true);
		}
		return (field.options ?? []).flatMap((option) =>
			'type' in option
				? casesOf(
						operation,
						option,
						(value) => ({
							[field.name]: {
								...otherField(operation, field.options, option.name),
								[option.name]: value,
							},
						}),
						false,
					)
				: [],
		);
	}),
);
