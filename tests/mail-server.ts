import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** A mail that a mail server took. */
export interface Taken {
  id: string;
  to: string;
  subject: string;
  /** The name that its sender gave itself: with a `?name=…` behind the address, that one. */
  sender: string;
}

/** A mail server that takes everything and writes down what. */
export interface MailServer {
  url: string;
  taken: Taken[];
  stop(): Promise<void>;
}

/** @param thinks how long it takes for each mail before it answers, milliseconds */
export async function startMailServer(thinks: () => number = () => 0): Promise<MailServer> {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, session, done) {
      let text = '';
      try {
        for await (const chunk of stream) text += chunk;
      } catch {
        // Whoever sent it was killed in the middle.
        return;
      }
      await sleep(thinks());
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
      const to = session.envelope.rcptTo.map(({ address }) => address).join();
      taken.push({ id: header('message-id'), to, subject: header('subject'), sender: session.hostNameAppearsAs });
      done();
    },
  });
  // Whoever is killed in the middle of a mail leaves a broken connection.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
}
