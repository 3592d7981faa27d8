/** Sends what a process asks of Google to its stand-in, whose address is in STAND_IN. For `node --import`. */
import http from 'node:http';
import https from 'node:https';

const { protocol, hostname, port } = new URL(process.env.STAND_IN);
const { request } = https;

https.request = (options, ...rest) => {
	if (!String(options.hostname).endsWith('.googleapis.com')) return request(options, ...rest);
	const rerouted = { ...options, protocol, hostname, host: hostname, port, agent: undefined };
	return http.request({ ...rerouted, agents: undefined }, ...rest);
};
