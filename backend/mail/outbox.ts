import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { writeDurably } from './durable-file.ts';
import type { Carrier } from './index.ts';

/** Without SMTP every mail becomes a file that a mail program, or a person, can open; the newest sorts last. */
export function openOutbox(folder: string): Carrier {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let writing = 0;
  return {
    put: async (template, { from, to, subject, text, html }) => {
      writing++;
      try {
        const { message } = await composer.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          // Left as they are, so that a link can be read and copied from the file.
          alternatives: [
            { content: text, contentType: 'text/plain; charset=utf-8', contentTransferEncoding: '8bit' },
            { content: html, contentType: 'text/html; charset=utf-8', contentTransferEncoding: '8bit' },
          ],
        });
        const time = new Date().toISOString().replace(/[:.]/g, '-');
        await writeDurably(join(folder, `${time}-${template}-${randomUUID().slice(0, 8)}.eml`), message as Buffer);
      } finally {
        writing--;
      }
    },
    get waiting() {
      return writing;
    },
    close: async () => composer.close(),
  };
}
