import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../tests/server.ts';
import { type Admin, parseAccount, SCREENS, signInAdmin } from './measuring/large-installation/admin-screens.ts';
import { fillProjects } from './measuring/large-installation/fill-projects.ts';
import { measureLibrary } from './measuring/large-installation/library.ts';
import { interleaved, median } from './measuring/load.ts';
import { figure } from './measuring/report.ts';

const FEW = 50;
const MANY = 50_000;
const ROUNDS = 25;
const WARM = 3;
/** Maximum ratio of the response time with 50,000 projects to that with 50. */
const MAX_RATIO = 1.5;

/**
 * The queries of every admin screen, with fifty projects and with fifty thousand; and the media library.
 * @param only "library" for that alone
 */
export default async function admin([only]: string[]): Promise<void> {
  await measureLibrary();
  if (only === 'library') return;
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const servers: RunningServer[] = [];
  try {
    const admins: Record<string, Admin> = {};
    for (const [name, size] of [
      ['few', FEW],
      ['many', MANY],
    ] as const) {
      const data = join(folder, name);
      const first = await startServer({ SEED: 'demo', LOG_LEVEL: 'silent' }, data);
      const account = parseAccount(first.output());
      await first.stop({ keep: true });
      const started = performance.now();
      await fillProjects(join(data, 'database'), size);
      figure(`${size} projects written`, `${((performance.now() - started) / 1000).toFixed(0)} s`);
      const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' }, data);
      servers.push(server);
      admins[name] = await signInAdmin(server.base, account);
    }
    const { few, many } = admins as { few: Admin; many: Admin };
    let slowest = 0;
    for (const [label, request] of SCREENS) {
      const timeOf = (admin: Admin) => async () => {
        const start = performance.now();
        await request(admin);
        return performance.now() - start;
      };
      const times = await interleaved(WARM + ROUNDS, { few: timeOf(few), many: timeOf(many) });
      const medianOf = (name: string) => median(times[name]!.slice(WARM));
      const ratio = medianOf('many') / medianOf('few');
      slowest = Math.max(slowest, ratio);
      const verdict = ratio <= MAX_RATIO ? 'met' : 'MISSED';
      figure(
        label,
        `${medianOf('few').toFixed(1).padStart(7)} ms with ${FEW} ${medianOf('many').toFixed(1).padStart(7)} ms with ${MANY}  ratio ${ratio.toFixed(2)}  (goal ${MAX_RATIO}, ${verdict})`,
      );
    }
    figure('slowest beside itself', slowest.toFixed(2));
  } finally {
    for (const server of servers) await server.stop({ keep: true });
    await rm(folder, { recursive: true, force: true });
  }
}
