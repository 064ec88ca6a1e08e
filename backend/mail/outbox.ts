import { randomUUID } from 'node:crypto';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../data-dir/durable-file.ts';
import type { Carrier, Message } from './index.ts';

/** A part that is left as it is instead of being encoded for old mail servers, so that a link can be read and copied from the file. */
const readable = (type: string, content: string) =>
  `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`;

/** Without SMTP every mail becomes a file that a mail program, or a person, can open; the newest sorts last. */
export function openOutbox(folder: string): Carrier {
  // Loaded with the first mail: a start has none to write.
  let composer: ReturnType<typeof loadComposer> | undefined;
  let writing = 0;
  async function write(kind: string, { from, to, replyTo, subject, text, html }: Message, id: string): Promise<void> {
    writing++;
    try {
      composer ??= loadComposer();
      const { message } = await (await composer).sendMail({
        from,
        to: { name: '', address: to },
        ...(replyTo ? { replyTo } : {}),
        subject,
        alternatives: [{ raw: readable('text/plain', text) }, { raw: readable('text/html', html) }],
      });
      const time = new Date().toISOString().replace(/[:.]/g, '-');
      await writeDurably(join(folder, `${time}-${kind}-${id.slice(0, 8)}.eml`), message as Buffer);
    } finally {
      writing--;
    }
  }
  return {
    put: (template, message) => write(template, message, randomUUID()),
    deliver: (id, message) => write('message', message, id),
    get waiting() {
      return writing;
    },
    oldest: null,
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
