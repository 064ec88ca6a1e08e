import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { writeDurably } from '../data-dir/durable-file.ts';
import type { Carrier, Message } from './index.ts';

interface Queued {
  message: Message;
  template: string;
  /** Milliseconds since the epoch. */
  queuedAt: number;
  attempts: number;
}

/** How nodemailer says what went wrong, and what the server answered. */
type SendError = Error & { code?: string; responseCode?: number };

const CLOSING = new Error('The mail service is closing.');
const TIMEOUT_MS = 15_000;
/** At the end the mail server may take so long for the mail it is being given; the mail is kept, and sent again. */
const LAST_MS = 1_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;
// Links in mails live an hour; a mail that is later than this says nothing true any more.
const GIVE_UP_MS = 60 * 60_000;

/**
 * Sends mails one after another. Each is a file until the server has taken it; what could not be delivered is tried
 * again with growing pauses, and after a restart. Mails that are refused for good, or too late, go to `failed/`.
 */
export function openSmtpQueue(folder: string, url: string, log: Logger): Carrier {
  // Loaded only here: a house without SMTP has no use for it at its start.
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  const waiting = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let closed = false;
  let leaveOff = () => {};
  // One at a time, so that a burst neither floods the mail server nor us.
  let turn: Promise<void> = readWaiting();

  async function readWaiting(): Promise<void> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') log.error({ err: error }, 'the mail queue cannot be read');
      return [];
    });
    for (const name of names.filter((name) => name.endsWith('.json')).sort()) if (!waiting.has(name)) enqueue(name);
  }

  function enqueue(name: string): void {
    waiting.add(name);
    turn = turn.then(() => (closed ? undefined : attempt(name)));
  }

  /** @throws Error when the mail server refuses or is away, CLOSING when we no longer wait for it */
  const send = (id: string, message: Message): Promise<unknown> =>
    new Promise((resolve, reject) => {
      leaveOff = () => reject(CLOSING);
      const sent = transport.then((smtp) =>
        smtp.sendMail({
          ...message,
          to: { name: '', address: message.to },
          messageId: `<${id}@${new URL(url).hostname || 'localhost'}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      );
      sent.then(resolve, reject);
    });

  async function attempt(name: string): Promise<void> {
    const path = join(folder, name);
    try {
      const queued = JSON.parse(await readFile(path, 'utf8')) as Queued;
      try {
        await send(name.replace('.json', ''), queued.message);
        await rm(path);
        waiting.delete(name);
      } catch (error) {
        if (error !== CLOSING) await notDelivered(name, queued, error as SendError);
      }
    } catch (err) {
      log.error({ err, name }, 'a queued mail cannot be read');
      waiting.delete(name);
    }
  }

  async function notDelivered(name: string, queued: Queued, error: SendError): Promise<void> {
    const attempts = queued.attempts + 1;
    const about = {
      template: queued.template,
      attempts,
      code: error.responseCode,
      reason: error.message.slice(0, 200),
    };
    // Only what is said about this mail: a refused login is about us, and will be set right.
    const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
    const refusedForGood = isAboutMail && (error.responseCode ?? 0) >= 500;
    if (refusedForGood || Date.now() - queued.queuedAt > GIVE_UP_MS) {
      await writeDurably(join(folder, 'failed', name), JSON.stringify({ ...queued, attempts }));
      await rm(join(folder, name));
      waiting.delete(name);
      log.error(about, 'a mail was given up');
      return;
    }
    await writeDurably(join(folder, name), JSON.stringify({ ...queued, attempts }));
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
    log.warn({ ...about, wait }, 'a mail could not be delivered yet');
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(name);
    }, wait).unref();
    timers.add(timer);
  }

  return {
    put: async (template, message) => {
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}.json`;
      const queued: Queued = { message, template, queuedAt: Date.now(), attempts: 0 };
      await writeDurably(join(folder, name), JSON.stringify(queued));
      if (!waiting.has(name)) enqueue(name);
    },
    deliver: async (id, message) => {
      const sent = turn.then(() => {
        if (closed) throw CLOSING;
        return send(id, message);
      });
      turn = sent.then(
        () => {},
        () => {},
      );
      await sent;
    },
    get waiting() {
      return waiting.size;
    },
    get oldest() {
      const [first] = [...waiting].sort();
      // `2026-11-23T20-14-32-123Z-…`
      const [, day, hour, minute, second, ms] = /^(.{10})T(..)-(..)-(..)-(...)Z/.exec(first ?? '') ?? [];
      return day ? new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`) : null;
    },
    reachable: () =>
      transport
        .then((smtp) => smtp.verify())
        .then(
          () => true,
          () => false,
        ),
    close: async () => {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      const late = setTimeout(() => leaveOff(), LAST_MS);
      await turn;
      clearTimeout(late);
      (await transport).close();
    },
  };
}
