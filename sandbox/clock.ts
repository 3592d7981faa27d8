/** Returns epoch milliseconds. It is an argument wherever time matters, so that tests can set it. */
export type Clock = () => number;

export const DAY_MS = 24 * 3600 * 1000;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the time zone of the link service. */
export const datetime = (ms: number): string =>
	new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** ISO 8601 in UTC to the second, as the store writes timestamps. */
export const isoTimestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
