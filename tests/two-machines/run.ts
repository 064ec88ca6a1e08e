import { migratedCluster } from '../database.ts';
import { findHaproxy } from '../programs/haproxy.ts';
import { startPostgres } from '../programs/postgres.ts';
import { findSwift, startSwift } from '../programs/swift.ts';
import { SHARED_VARIABLE, type Shared } from './shared.ts';

const OF_MAIL_QUEUE = ['tests/contract/mail', 'tests/contract/contact-mail', 'tests/contract/review-mail'];

/** Test files that are not run with two machines, by reason. */
export const EXCLUDED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'calls the mail queue directly, without a server': OF_MAIL_QUEUE,
    'calls functions and SQL directly, without a server': ['tests/contract/written-limits'],
    'checks the health report of a single process': ['tests/contract/check-health'],
    'files on the disk of one machine; the same tests run in S3': ['packages/backend/tests/storage/on-disk'],
  }).flatMap(([reason, files]) => files.map((file) => [`${file}.test.ts`, reason])),
);

/**
 * Starts the services shared by all servers of a run, and passes their addresses to the test processes.
 * @throws Error when HAProxy or Swift is missing
 */
export async function startShared(): Promise<{ shared: Shared; stop(): Promise<void> }> {
  if (!findHaproxy() || !findSwift()) throw new Error('--two-machines needs HAProxy and OpenStack Swift.');
  const [postgres, swift] = await Promise.all([migratedCluster().then((from) => startPostgres(from)), startSwift()]);
  const shared: Shared = { postgres: postgres.url, swift: swift.url };
  process.env[SHARED_VARIABLE] = JSON.stringify(shared);
  return { shared, stop: async () => void (await Promise.all([postgres.stop(), swift.stop()])) };
}
