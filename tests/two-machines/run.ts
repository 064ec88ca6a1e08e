import { join } from 'node:path';
import { migratedCluster } from '../database.ts';
import { findHaproxy } from '../programs/haproxy.ts';
import { startPostgres } from '../programs/postgres.ts';
import { findSwift, startSwift } from '../programs/swift.ts';
import { SHARED, type Shared } from './shared.ts';

/** Files of journeys and contract tests that say nothing of two machines, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'no request is answered: the part that sends mails is called itself': ['mail', 'contact-mail', 'review-mail'],
    'no request is answered: functions and SQL are called themselves': ['written-limits'],
    'one process with its own folder, mail server and archives: what it says of itself': ['check-health'],
    'bytes on the disk of one machine; the same tests run in S3': ['storage/on-disk'],
    'looks into the embedded database between starts': ['../journeys/setup/large-cleanup'],
  }).flatMap(([reason, files]) => files.map((file) => [join('tests', 'contract', `${file}.test.ts`), reason])),
);

/**
 * Starts the services shared by all servers of a run, and passes their addresses to the test processes.
 * @throws Error where HAProxy or Swift cannot be had
 */
export async function startShared(): Promise<{ shared: Shared; stop(): Promise<void> }> {
  if (!findHaproxy() || !findSwift()) throw new Error('Two machines need HAProxy and OpenStack Swift.');
  const [postgres, swift] = await Promise.all([migratedCluster().then((from) => startPostgres(from)), startSwift()]);
  const shared: Shared = { postgres: postgres.url, swift: swift.url };
  process.env[SHARED] = JSON.stringify(shared);
  return { shared, stop: async () => void (await Promise.all([postgres.stop(), swift.stop()])) };
}
