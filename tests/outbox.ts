import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PATIENCE_MS = 120_000;

/** The e-mails in an outbox, oldest first. */
export async function mailsIn(outbox: string, template = ''): Promise<string[]> {
  const names = await readdir(outbox).catch(() => [] as string[]);
  // What ends in .part is still being written, under a name that is about to change.
  const written = names.filter((name) => name.includes(template) && name.endsWith('.eml')).toSorted();
  return Promise.all(written.map((name) => readFile(join(outbox, name), 'utf8')));
}

/**
 * The link in the newest e-mail to an address. Waits for it: e-mail is sent after the response.
 * @param sent how many such mails they were sent, so that the newest is not an old one
 * @throws Error when it does not come
 */
export const linkInMail = (dataDir: string, to: string, template: string, sent = 1): Promise<string> =>
  inMail(
    dataDir,
    to,
    template,
    (mail) => /https?:\/\/\S+\/confirm\?[^\s"<>]+/.exec(mail)?.[0].replaceAll('&amp;', '&'),
    sent,
  );

/** The code in the newest e-mail to an address. */
export const codeInMail = (dataDir: string, to: string, template: string): Promise<string> =>
  inMail(dataDir, to, template, (mail) => /ten minutes\): (\d{6})/.exec(mail)?.[1]);

async function inMail(
  dataDir: string,
  to: string,
  template: string,
  find: (mail: string) => string | undefined,
  sent = 1,
) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const mails = await mailsIn(join(dataDir, 'outbox'), `-${template}-`);
    const theirs = mails.filter((mail) => mail.includes(to));
    const found = theirs.length >= sent && find(theirs.at(-1)!);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No ${template} mail to ${to} came.`);
}
