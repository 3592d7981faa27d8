/** Sends what a process asks of Google to STAND_IN_FOR_GOOGLE. n8n's credentials for Google have no base URL. For `node --import`. */
import http from 'node:http';
import https from 'node:https';

const standIn = process.env.STAND_IN_FOR_GOOGLE;
const { request } = https;

if (standIn !== undefined) {
	const { protocol, hostname, port } = new URL(standIn);
	https.request = (options, ...rest) => {
		if (!String(options.hostname).endsWith('.googleapis.com')) return request(options, ...rest);
		const rerouted = { ...options, protocol, hostname, host: hostname, port, agent: undefined };
		return http.request({ ...rerouted, agents: undefined }, ...rest);
	};
}
