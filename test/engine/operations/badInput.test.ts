import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { OfferedOperation } from '../../operations.ts';
import { choicesOf, OPERATIONS } from '../../operations.ts';
import type { Case } from '../fields.ts';
import { CASES, isUpdate, needed, shownWith, VALUE } from '../fields.ts';
import { Stage, byId, like, onStage } from '../support.ts';

/** What cannot be sent is refused before any request, naming the field and the value. */

const stage = onStage(new Stage());

interface BadInput {
	operation: Pick<OfferedOperation, 'node' | 'name'>;
	field: string;
	/** One of them holds the value. */
	parameters: INodeParameters;
	/** Each value with the message about it. */
	refused: Array<[value: Wrong, message: unknown]>;
}

const saying = (message: string): unknown => expect.stringContaining(message);
type Wrong = string | number | boolean | null;
const told = (value: Wrong): string =>
	value === '' || value === null ? 'empty' : `"${String(value)}"`;

const IDS = [
	...['0', '-1', '1.5', '1e3', '0x1', 'abc', '..', '1/delete', '1?x=1', '%31', 7.5, true],
	...['', ' '],
];
const ID_ADVICE = 'Pick one from the list, or enter its ID.';

/** The record that an operation is about, in place of its ID. */
const idOf = (operation: OfferedOperation, field: INodeProperties): BadInput => ({
	operation,
	field: field.name,
	parameters: { ...complete(operation), ...shownWith(field), [field.name]: byId(VALUE) },
	refused: IDS.map((value) => {
		const label = `${field.displayName} ID`;
		return [value, `${label} must be a positive whole number, but is ${told(value)}. ${ID_ADVICE}`];
	}),
});

/** Everything that the operation needs, so that nothing but the value is wrong. */
function complete(operation: OfferedOperation): INodeParameters {
	const changes: Record<string, INodeParameters> = {
		'account.update': { email: 'a@example.com' },
		'link.update': { metaTitle: 'x' },
	};
	const updateFields = changes[operation.name] ?? { name: 'x', starred: true, rootRedirect: '' };
	return { ...needed(operation), ...(isUpdate(operation) ? { updateFields } : {}) };
}

/** What is no value of a kind, and what the message calls the kind. */
const KINDS: Partial<Record<Case['kind'], [what: string, values: Wrong[]]>> = {
	address: ['a web address', ['example.com', 'javascript:alert(1)', 7]],
	webAddress: ['a web address', ['example.com', 'javascript:alert(1)', 7]],
	flag: ['true or false', ['maybe', 2]],
	hexColor: ['a color', ['red', 'rgb(1,2)', '12']],
	rgbColor: ['a color', ['red', 'rgb(1,2)', '12']],
	moment: ['a date and time', ['tomorrow', '2026-02-30', true]],
};

/** A value of the wrong kind, and one that is left empty although the service needs it. */
function wrongValueOf({ operation, field, isNeeded, parameters, kind }: Case): BadInput[] {
	const label = field.displayName;
	const [what = '', values = []] = KINDS[kind] ?? [];
	const blank: Wrong[] = isNeeded ? ['', '  ', null] : [];
	const broken: Wrong[] = /^address|webAddress/.test(kind) ? ['https://a.b/c\td', 'a\u0085b'] : [];
	const refused: BadInput['refused'] = [
		...broken.map((value): [Wrong, unknown] => [
			value,
			like(/ has a line break or another control/),
		]),
		...values.map((value): [Wrong, unknown] => [
			value,
			saying(`${label} must be ${what}, but is ${told(value)}`),
		]),
		...blank.map((value): [Wrong, unknown] => [value, saying(`${label} is empty`)]),
	];
	return refused.length === 0 ? [] : [{ operation, field: field.name, parameters, refused }];
}

const special = (
	name: string,
	parameters: INodeParameters,
	...refused: BadInput['refused']
): BadInput => ({
	operation: { node: name.startsWith('purchase') ? 'store' : 'linkManagement', name },
	field: Object.keys(parameters).join(),
	parameters,
	refused,
});

/** On an update, null leaves a field as it is, and nothing else is given here. */
const clearedOf = (label: string): BadInput['refused'] => [
	...['', '  '].map((value): [Wrong, unknown] => [value, saying(`${label} is empty`)]),
	[null, saying('There is nothing to update')],
];

const nothing = saying('There is nothing to update. Add at least one field under Update Fields');
const url = 'https://example.com';

const SPECIAL: BadInput[] = [
	special('account.update', { updateFields: { email: VALUE } }, ...clearedOf('Email')),
	special('link.update', { linkId: byId(1), updateFields: { url: VALUE } }, ...clearedOf('URL')),
	special('account.update', { updateFields: {} }, [0, nothing]),
	special('channel.update', { channelId: byId(1), updateFields: {} }, [0, nothing]),
	special('domain.update', { domainId: byId(1), updateFields: {} }, [0, nothing]),
	special('link.update', { linkId: byId(1), updateFields: {} }, [0, nothing]),
	special('channel.assignItem', { itemType: VALUE, channelId: byId(1), itemId: byId(1) }, [
		'../links',
		saying('Item Type must be one of bio, links, qr, but is "../links"'),
	]),
	special('link.create', { url, redirectType: 'overlay', ctaOverlayId: byId(VALUE) }, [
		'',
		saying('CTA Overlay ID must be a positive whole number'),
	]),
	special('link.create', { url, redirectType: 'customSplash', splashPageId: byId(VALUE) }, [
		'abc',
		saying('Splash Page ID must be a positive whole number, but is "abc"'),
	]),
	special('qrCode.create', { qrType: 'vcard', vcard: {} }, [
		0,
		'The contact is empty. Fill in at least one field under Contact.',
	]),
	special('qrCode.create', { qrType: 'vcard', vcard: { site: VALUE } }, [
		'javascript:x',
		saying('Contact site must be a web address, but is "javascript:x"'),
	]),
	special(
		'qrCode.create',
		{ qrType: 'sms', dataMode: 'json', dataJson: VALUE },
		...['"javascript:x"', '{"a":["java\\nscript:x"]}'].map((json): [Wrong, unknown] => [
			json,
			saying('Content must be a web address, but is '),
		]),
		...['{ "phone": ', "{ 'phone': 1 }", '{"a":1,}'].map((json): [Wrong, unknown] => [
			json,
			like(/^Content is not valid JSON\. .*double quotes/),
		]),
	),
	special('purchase.validate', { purchaseCode: 'any', options: { expectedItemId: VALUE } }, [
		'abc',
		saying('Expected Item ID must be a positive whole number, but is "abc"'),
	]),
];

/** What is no option, or no boolean, in a field that decides what is sent or output. */
const choicesIn = (
	operation: OfferedOperation,
	fields: INodeProperties[],
	place: (field: INodeProperties) => INodeParameters,
): BadInput[] =>
	fields.flatMap((field) => {
		const { name, type, displayName: label, routing, noDataExpression = false } = field;
		const [first] = type === 'options' ? choicesOf(field) : [];
		if (noDataExpression || routing?.send || (!first && type !== 'boolean')) return [];
		const wrong: Wrong[] = first ? ['none of them', first.name, '', null, 7] : ['maybe', 2];
		const what = first
			? `one of ${choicesOf(field)
					.map(({ value }) => value)
					.join(', ')}`
			: 'true or false';
		const refused = wrong.map((value): [Wrong, unknown] => [
			value,
			saying(`${label} must be ${what}, but is ${told(value)}`),
		]);
		return [{ operation, field: name, parameters: place(field), refused }];
	});

const CHOICES = OPERATIONS.flatMap((operation) => {
	const given = complete(operation);
	const inOptions = operation.fields.find(({ name }) => name === 'options')?.options ?? [];
	return [
		...choicesIn(operation, operation.fields, (field) => ({
			...{ ...given, ...shownWith(field), [field.name]: VALUE },
		})),
		...choicesIn(
			operation,
			inOptions.filter((option) => 'type' in option),
			({ name }) => ({ ...given, options: { [name]: VALUE } }),
		),
	];
});

const IN_PATH = OPERATIONS.flatMap((operation) =>
	operation.fields
		.filter(({ type, required }) => type === 'resourceLocator' && required === true)
		.map((field) => idOf(operation, field)),
);

test.each([...IN_PATH, ...CHOICES, ...CASES.flatMap(wrongValueOf), ...SPECIAL])(
	'$operation.name refuses before any request what is wrong in $field: $parameters',
	async ({ operation, parameters, refused }) => {
		const run = operation.node === 'store' ? stage.store.bind(stage) : stage.link.bind(stage);
		const { json, requests } = await run(operation.name, parameters, {
			// The node goes on after each value, so that one run shows what becomes of all.
			rows: refused.map(([value]) => ({ value }) as IDataObject),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json).toEqual(refused.map(([, error]) => ({ error })));
		expect(requests).toEqual([]);
	},
);
