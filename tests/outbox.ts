import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const TIMEOUT_MS = 120_000;

export async function mailsIn(outbox: string, template = ''): Promise<string[]> {
  const names = await readdir(outbox).catch(() => [] as string[]);
  // A file that ends in .part is incomplete and will be renamed.
  const written = names.filter((name) => name.includes(template) && name.endsWith('.eml')).toSorted();
  return Promise.all(written.map((name) => readFile(join(outbox, name), 'utf8')));
}

const linkIn = (mail: string) =>
  /https?:\/\/\S+\/(?:confirm|case-studies\/[\w-]+)\?[^\s"<>]+/.exec(mail)?.[0].replaceAll('&amp;', '&');

/**
 * Waits for an e-mail to an address, which is sent after the response. @returns its link
 * @param sent expected number of such e-mails, so that an old one is not returned
 * @throws Error when the e-mail does not arrive
 */
export const linkInMail = (dataDir: string, to: string, template: string, sent = 1): Promise<string> =>
  inMail(dataDir, to, template, linkIn, sent);

export const codeInMail = (dataDir: string, to: string, template: string, sent = 1): Promise<string> =>
  inMail(dataDir, to, template, (mail) => /ten minutes\): (\d{6})/.exec(mail)?.[1], sent);

async function inMail(
  dataDir: string,
  to: string,
  template: string,
  find: (mail: string) => string | undefined,
  sent: number,
) {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    const mails = await mailsIn(join(dataDir, 'outbox'), `-${template}-`);
    const received = mails.filter((mail) => mail.includes(to));
    const found = received.length >= sent && find(received.at(-1)!);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No ${template} e-mail to ${to} arrived.`);
}
