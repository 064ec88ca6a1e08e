import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../database.ts';
import { failedStart, type RunningServer, startServer } from '../server.ts';

describe('the operator', () => {
  let server: RunningServer;
  afterAll(() => server?.stop());

  it('logs one line about an invalid setting, and exits with code 1 (CFG-03)', async () => {
    const explanation = /PORT must be a number .*\.env\.example explains each setting\.$/;
    expect(await failedStart({ PORT: 'eighty' })).toMatch(explanation);
  });

  it('starts an empty installation, stops on SIGTERM, and restarts without data loss or the demo', async () => {
    const { folder } = await temporaryFolder();
    const first = await startServer({ SEED: 'none' }, folder);
    expect(first.output()).toMatch(/Setup key \(shown once, .*: \S{20,}/);
    expect(await first.stop({ keep: true })).toBe(0);
    server = await startServer({}, folder);
    expect(server.output()).not.toMatch(/Setup key|Demo accounts/);
    // A reload by systemd has nothing to replace.
    server.process.kill('SIGHUP');
    expect((await fetch(`${server.base}/health`)).status).toBe(200);
  });

  it('cannot open a data folder twice: the second start names the process that uses it', async () => {
    const refused = await failedStart({}, server.dataDir);
    expect(refused).toContain(server.dataDir);
    expect(refused).toContain(String(server.process.pid));
    expect((await fetch(`${server.base}/ready`)).status).toBe(200);
  });

  it('reports a used port before anything is created', async () => {
    const { folder, remove } = await temporaryFolder();
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as AddressInfo;
      expect(await failedStart({ PORT: String(port) }, folder)).toMatch(/Port \d+ on 127\.0\.0\.1 is taken/);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      other.close();
      await remove();
    }
  });
});
