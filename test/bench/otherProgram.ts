import axios from 'axios';

/** By which its requests are told from n8n's: what the service refuses, it does not read. */
export const OTHER_PROGRAM = 'other-program';

/**
 * A program without n8n that uses up a part of the limit of a key that others use too: it makes links in even steps, and
 * does not care for what is refused.
 *
 * @param everyMs milliseconds between the beginnings of two requests
 * @returns a function that ends it
 */
export function startOtherProgram(baseUrl: string, apiKey: string, everyMs: number): () => void {
	let sent = 0;
	const timer = setInterval(() => {
		sent += 1;
		void axios.post(
			`${baseUrl}/api/url/add`,
			{ url: `https://example.org/${sent}` },
			{
				headers: { Authorization: `Bearer ${apiKey}`, 'User-Agent': OTHER_PROGRAM },
				validateStatus: () => true,
				proxy: false,
			},
		);
	}, everyMs);
	return () => clearInterval(timer);
}
