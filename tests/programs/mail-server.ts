import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

export interface AcceptedMail {
  id: string;
  from: string;
  to: string;
  subject: string;
  /** Raw header and parts in their transfer encoding. */
  text: string;
  /** EHLO name of the sender: that of `?name=…` in SMTP_URL, if set. */
  sender: string;
}

export interface MailServer {
  url: string;
  port: number;
  accepted: AcceptedMail[];
  stop(): Promise<void>;
}

/**
 * Accepts every message immediately by default.
 * @param wishes.port default: a free port
 * @param wishes.thinks milliseconds before the response to a message
 * @param wishes.refusal SMTP code that rejects the next message; null accepts it
 * @param wishes.login requires a login, and checks name and password
 */
export async function startMailServer(
  options: { port?: number; thinks?: () => number; refusal?: () => number | undefined; login?: () => boolean } = {},
): Promise<MailServer> {
  const { port: wanted = 0, thinks = () => 0, refusal = () => undefined, login } = options;
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
        // The sender was killed during the message.
        return;
      }
      await sleep(thinks());
      const code = refusal();
      if (code) return done(refused(code));
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom ? mailFrom.address : '';
      const to = rcptTo.map(({ address }) => address).join();
      const sender = session.hostNameAppearsAs;
      accepted.push({ id: header('message-id'), from, to, subject: header('subject'), text, sender });
      done();
    },
  });
  // A sender killed in the middle of a message leaves a broken connection.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(wanted, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((closed) => server.close(() => closed()));
  return { url: `smtp://127.0.0.1:${port}`, port, accepted, stop };
}
