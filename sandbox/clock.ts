/** Returns epoch milliseconds. It is an argument wherever time matters, so that tests can set it. */
export type Clock = () => number;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the time zone of the link service. */
export const datetime = (ms: number): string =>
	new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** ISO 8601 in UTC to the second, as the store writes timestamps. */
export const isoTimestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Whether a text is a `YYYY-MM-DD HH:MM:SS` that exists in the calendar. */
export function isDatetime(value: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value)) return false;
	const ms = Date.parse(`${value.replace(' ', 'T')}Z`);
	return !Number.isNaN(ms) && datetime(ms) === value;
}
