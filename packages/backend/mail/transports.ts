import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../data-dir/durable-file.ts';
import type { MailTransport } from './index.ts';

const TIMEOUT_MS = 15_000;

export function openSmtp(url: string): MailTransport {
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
  return {
    deliver: async ({ id }, message) => {
      await (await transport).sendMail({
        ...message,
        to: { name: '', address: message.to },
        messageId: `<${id}@${new URL(url).hostname || 'localhost'}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    reachable: () =>
      transport
        .then((smtp) => smtp.verify())
        .then(
          () => true,
          () => false,
        ),
    close: async () => (await transport).close(),
  };
}

/** Not encoded for old mail servers, so that links can be copied from the file. */
const readable = (type: string, content: string) =>
  `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`;

/** Writes `.eml` files instead of using SMTP; names sort by time, and a retry overwrites its own file. */
export function openOutbox(folder: string): MailTransport {
  let composer: ReturnType<typeof loadComposer> | undefined;
  return {
    async deliver({ id, name, queuedAt }, { from, to, replyTo, subject, text, html }) {
      composer ??= loadComposer();
      const { message } = await (await composer).sendMail({
        from,
        to: { name: '', address: to },
        ...(replyTo ? { replyTo } : {}),
        subject,
        alternatives: [{ raw: readable('text/plain', text) }, { raw: readable('text/html', html) }],
      });
      const time = queuedAt.toISOString().replace(/[:.]/g, '-');
      await writeDurably(join(folder, `${time}-${name}-${id.slice(0, 8)}.eml`), message as Buffer);
    },
    reachable: () =>
      mkdir(folder, { recursive: true })
        .then(() => access(folder, constants.W_OK))
        .then(
          () => true,
          () => false,
        ),
    close: async () => (await composer)?.close(),
  };
}

const loadComposer = () =>
  import('nodemailer').then(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
