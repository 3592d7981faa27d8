import { Failure } from '../../../dist/nodes/shared/values/failure.js';

/** What is made of a value that a user, a sheet or an AI model enters, or a service answers. */
export interface Reader {
	read: (value: unknown) => unknown;
	/** Pairs of what is given and what becomes of it. */
	takes?: ReadonlyArray<readonly [unknown, unknown]>;
	refuses?: readonly unknown[];
	/** How each refusal begins. */
	saying?: RegExp;
}

export const same = (...values: unknown[]) => values.map((value) => [value, value] as const);

export const all = (values: readonly unknown[], becomes: unknown) =>
	values.map((value) => [value, becomes] as const);

export const messageOf = (read: () => unknown): string => {
	try {
		return `no error, but ${JSON.stringify(read())}`;
	} catch (error) {
		return String(error instanceof Failure ? error.explanation : error);
	}
};

/** A test of each reader, by its name. */
export function testReaders(readers: Record<string, Reader>): void {
	test.each(Object.entries(readers))('%s', (_, { read, takes = [], refuses = [], saying }) => {
		expect(takes.map(([given]) => read(given))).toEqual(takes.map(([, becomes]) => becomes));
		for (const given of refuses) expect(messageOf(() => read(given))).toMatch(saying ?? 'nothing');
	});
}
