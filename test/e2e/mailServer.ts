import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

import { isRecord } from '../n8n-host/json.ts';

/** A mail server of our own, on loopback and a free port. It keeps what it is given, and passes nothing on. */
export interface MailServer {
	port: number;
	/** The mails as they came, lines ended by `\n` */
	mails: string[];
	stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
	const mails: string[] = [];
	const server = createServer((socket) => {
		let mail: string[] | undefined;
		const say = (line: string) => socket.write(`${line}\r\n`);
		say('220 ready');
		createInterface({ input: socket }).on('line', (line) => {
			if (mail !== undefined && line !== '.') {
				mail.push(line);
			} else if (mail !== undefined) {
				mails.push(mail.join('\n'));
				mail = undefined;
				say('250 taken');
			} else if (line === 'DATA') {
				mail = [];
				say('354 go on');
			} else if (line === 'QUIT') {
				socket.end('221 bye\r\n');
			} else {
				say('250 done');
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: isRecord(address) ? Number(address.port) : 0,
		mails,
		stop: async () => {
			server.close();
			await once(server, 'close');
		},
	};
}

/** The file that is attached to a mail. @throws Error if there is none */
export function attachmentOf(mail: string): Buffer {
	const [, content] =
		/^Content-Disposition: attachment.*\n(?:.+\n)*\n([\w+/=\n]+)/m.exec(mail) ?? [];
	if (content === undefined) throw new Error(`Nothing is attached to\n${mail}`);
	return Buffer.from(content, 'base64');
}
