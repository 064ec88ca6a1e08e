import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PATIENCE_MS = 10_000;

/**
 * The link of the newest mail to somebody, waited for: mail leaves after the answer.
 * @throws Error when none comes
 */
export async function linkInMail(dataDir: string, to: string, template: string): Promise<string> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const names = await readdir(join(dataDir, 'outbox')).catch(() => [] as string[]);
    for (const name of names
      .filter((known) => known.includes(`-${template}-`))
      .toSorted()
      .toReversed()) {
      const mail = await readFile(join(dataDir, 'outbox', name), 'utf8');
      const [link] = /https?:\/\/\S+\/confirm\?[^\s"<>]+/.exec(mail) ?? [];
      if (mail.includes(to) && link) return link.replaceAll('&amp;', '&');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No ${template} mail to ${to} came.`);
}
