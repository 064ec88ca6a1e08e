import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** A mail that a mail server took. */
export interface AcceptedMail {
  id: string;
  from: string;
  /** Its mailboxes, with commas between them. */
  to: string;
  subject: string;
  /** As it came: head and parts, in their transfer encoding. */
  text: string;
  /** The name that its sender gave itself: with a `?name=…` behind the address, that one. */
  sender: string;
}

/** A mail server that accepts and records every message, unless set otherwise. */
export interface MailServer {
  url: string;
  port: number;
  accepted: AcceptedMail[];
  stop(): Promise<void>;
}

/**
 * By default it accepts every message immediately, from every client.
 * @param wishes.port else a free one
 * @param wishes.thinks how long it takes for each mail before it answers, milliseconds
 * @param wishes.refusal the SMTP code that the next mail is refused with, if it is
 * @param wishes.login whether it accepts the required name and password
 */
export async function startMailServer(
  wishes: { port?: number; thinks?: () => number; refusal?: () => number | undefined; login?: () => boolean } = {},
): Promise<MailServer> {
  const { port: wanted = 0, thinks = () => 0, refusal = () => undefined, login } = wishes;
  const accepted: AcceptedMail[] = [];
  const refused = (responseCode: number) => Object.assign(new Error('not this one'), { responseCode });
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...(login
      ? {
          allowInsecureAuth: true,
          onAuth: (_, __, done) => (login() ? done(null, { user: 'anyone' }) : done(refused(535))),
        }
      : { authOptional: true }),
    async onData(stream, session, done) {
      let text = '';
      try {
        for await (const chunk of stream) text += chunk;
      } catch {
        // Its sender was killed in the middle.
        return;
      }
      await sleep(thinks());
      const code = refusal();
      if (code) return done(refused(code));
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
      const { mailFrom, rcptTo } = session.envelope;
      accepted.push({
        id: header('message-id'),
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address).join(),
        subject: header('subject'),
        text,
        sender: session.hostNameAppearsAs,
      });
      done();
    },
  });
  // A sender killed in the middle of a message leaves a broken connection.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(wanted, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    accepted,
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
}
