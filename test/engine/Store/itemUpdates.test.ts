import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { serve } from '../../loopback.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** *Item Updated* compares values: the form in which a service writes them is no update, and any other value is one. */

/** The item of each store. Each trigger has its own store: a property that was interrupted may still be polling another one. */
const items: IDataObject[] = [];
let baseUrl: string;
let stop: () => Promise<void>;

beforeAll(async () => {
	const server = await serve(({ url = '' }, response) => {
		const at = Number(url.split('/')[1]);
		response.end(JSON.stringify({ status: 'success', items: [items[at]] }));
	});
	baseUrl = server.url;
	stop = async () => await server.stop();
});

afterAll(async () => await stop());

/** A trigger on a store with one item, and what puts another one in its place. */
function watched(item: IDataObject) {
	const at = items.push(item) - 1;
	const storeApi = { baseUrl: `${baseUrl}/${at}`, apiKey: 'key', requestsPerMinute: 0 };
	const trigger = triggersOf('storeTrigger')(
		{ credentials: { storeApi } },
		{ event: 'itemUpdated' },
	);
	const put = (other: IDataObject): void => {
		items[at] = other;
	};
	return { trigger, put };
}

/** `undefined` is a member that is left out. */
type Forms = readonly unknown[];

const BLANK: Forms = [null, '', undefined];
const NO_LIST: Forms = [...BLANK, []];
const YES: Forms = [true, 1, '1'];
const NO: Forms = [false, 0, '0'];

const formsOfNumber = (number: number): Forms => [number, String(number), number.toFixed(3)];

const formsOfInstant = (epoch: number): Forms => {
	const utc = new Date(epoch).toISOString();
	const later = new Date(epoch + 90 * 60_000).toISOString().slice(0, 19);
	return [
		...[utc, `${utc.slice(0, 19)}Z`, `${utc.slice(0, 19)}.000000Z`, `${utc.slice(0, 19)}+00:00`],
		...[utc.slice(0, 19).replace('T', ' '), `${later}+01:30`, `${later}+0130`],
		...[new Date(epoch).toUTCString(), epoch / 1000, String(epoch / 1000), epoch],
	];
};

const text = fc.string({ minLength: 1, maxLength: 9 }).filter((value) => value.trim() !== '');
const number = fc.integer({ min: 0, max: 99_999 }).map((cents) => formsOfNumber(cents / 100));
const same = (value: unknown): Forms => [value];
const textOrBlank = fc.oneof(text.map(same), fc.constant(BLANK));
const address = fc.webUrl({ withQueryParameters: false, withFragments: false });
const signed = address.map((url): Forms => [url, `${url}?sig=1`, `${url}?sig=2#part`]);

/** Each member of an item with every form of its value. */
const members: Record<string, fc.Arbitrary<Forms>> = {
	name: textOrBlank,
	description: textOrBlank,
	category: fc.oneof(textOrBlank, number),
	sub_category: textOrBlank,
	options: fc.oneof(fc.constant(NO_LIST), listOf(fc.constantFrom(YES, NO, ['Retina']))),
	version: fc.oneof(
		fc.constantFrom<Forms>(['1.10'], ['1.1'], [49, '49'], ['2.0.0', ' 2.0.0']),
		fc.constant(BLANK),
	),
	demo_link: textOrBlank,
	tags: fc.oneof(fc.constant(NO_LIST), listOf(text.map(same))),
	media: fc
		.record({ thumbnail: signed, preview_video: fc.constant(BLANK), screenshots: listOf(signed) })
		.map((media) => formsOf(media)),
	price: fc
		.record({ regular: number, extended: fc.oneof(number, fc.constant(BLANK)) })
		.map((price) => formsOf(price)),
	currency: textOrBlank,
	published_at: fc.integer({ min: 1e9, max: 2e9 }).map((seconds) => formsOfInstant(seconds * 1000)),
};

function listOf(entry: fc.Arbitrary<Forms>): fc.Arbitrary<Forms> {
	const entries = fc.array(entry, { minLength: 1, maxLength: 4 });
	return entries.map((all) => [0, 1, 2].map((at) => all.map((forms) => forms[at % forms.length])));
}

/** Records in which the members have their first forms, their second ones, and so on. */
const formsOf = (record: Record<string, Forms>): Forms =>
	[0, 1, 2, 3].map((at) =>
		Object.fromEntries(
			Object.entries(record)
				.map(([name, forms]) => [name, forms[at % forms.length]] as const)
				.toSorted(() => (at % 2 === 0 ? 0 : -1)),
		),
	);

const item = fc.record(members);
const choices = fc.infiniteStream(fc.nat(59));

/** An item of the service, each member in one of its forms. */
function written(forms: Record<string, Forms>, chosen: Iterator<number>): IDataObject {
	const entries = Object.entries(forms).map(([name, each]) => {
		const { value: at = 0 } = chosen.next() as { value?: number };
		return [name, each[at % each.length]] as const;
	});
	return { id: 7, ...(Object.fromEntries(entries) as IDataObject) };
}

test('another form of the same values is no update', async () => {
	await fc.assert(
		fc.asyncProperty(item, choices, async (forms, chosen) => {
			const { trigger, put } = watched(written(forms, chosen));
			await trigger.activate();
			for (let poll = 0; poll < 3; poll += 1) {
				put(written(forms, chosen));
				expect(await trigger.poll()).toEqual([]);
			}
		}),
		{ numRuns: 50 },
	);
});

const OTHER: Record<string, unknown> = {
	name: 'other name',
	description: 'other text',
	category: 'other',
	sub_category: 'other',
	options: ['other'],
	version: '9.9.9',
	demo_link: 'https://other.example',
	tags: ['other'],
	media: { thumbnail: 'https://other.example/a.png' },
	price: { regular: 1234.5 },
	currency: 'XTS',
	published_at: '2001-02-03T04:05:06Z',
};

test('another value is one, whatever the forms of the others', async () => {
	const which = fc.constantFrom(...Object.keys(OTHER));
	await fc.assert(
		fc.asyncProperty(item, choices, which, async (forms, chosen, name) => {
			const { trigger, put } = watched(written(forms, chosen));
			await trigger.activate();
			put({ ...written(forms, chosen), [name]: OTHER[name] } as IDataObject);
			expect((await trigger.poll()).map(({ changed }) => changed)).toEqual([[name]]);
		}),
		{ numRuns: 50 },
	);
});

test.each<[name: string, before: unknown, now: unknown]>([
	['version', '1.1', '1.10'],
	['version', '1.0.0', null],
	['price', { regular: 49 }, { regular: 49.01 }],
	['price', { regular: '49.00' }, { regular: '490.0' }],
	['price', { regular: 0 }, { regular: null }],
	['options', [true], [false]],
	['tags', ['a', 'b'], ['a']],
	['tags', ['1', '2'], ['12']],
	['name', 'Theme', 'theme'],
	['media', { thumbnail: 'https://a.example/1' }, { thumbnail: 'https://a.example/2' }],
	['published_at', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
	['published_at', '2026-01-01T00:00:00Z', 'soon'],
])('%s: %j becomes %j', async (name, before, now) => {
	const { trigger, put } = watched({ id: 7, [name]: before } as IDataObject);
	await trigger.activate();
	put({ id: 7, [name]: now } as IDataObject);
	expect((await trigger.poll()).map(({ changed }) => changed)).toEqual([[name]]);
});
