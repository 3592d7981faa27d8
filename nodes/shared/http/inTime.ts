// A deadline for a response.

/** For the whole response: n8n's HTTP client starts its timeout again with each byte that comes. */
export async function inTime<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
	const late = AbortSignal.timeout(timeoutMs);
	let stop = (): void => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(new Error('the request timed out'));
	});
	late.addEventListener('abort', stop);
	const first = Promise.race([response, stopped]);
	return await first.finally(() => late.removeEventListener('abort', stop));
}
