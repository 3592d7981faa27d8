/** Sends what a process asks of a host to its stand-in. STAND_INS has their addresses, by the ends of names of hosts. For `node --import`. */
import http from 'node:http';
import https from 'node:https';

const standIns = Object.entries(JSON.parse(process.env.STAND_INS ?? '{}'));
const { request } = https;

https.request = (options, ...rest) => {
	const [, address] = standIns.find(([end]) => String(options.hostname).endsWith(end)) ?? [];
	if (address === undefined) return request(options, ...rest);
	const { protocol, hostname, port } = new URL(address);
	const rerouted = { ...options, protocol, hostname, host: hostname, port, agent: undefined };
	return http.request({ ...rerouted, agents: undefined }, ...rest);
};
