import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SHORT_LIVED } from '../cpu-time.ts';
import { freePort } from '../free-port.ts';
import { type RunningServer, startServer } from '../server.ts';

const startAndFail = (settings: Record<string, string>) =>
  spawnSync(process.execPath, [...SHORT_LIVED, 'server.ts'], {
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'production',
      ...settings,
    },
  });

describe('the operator', () => {
  let server: RunningServer;
  afterAll(() => server?.stop());

  it('logs one line about an invalid setting, and exits with code 1 (CFG-03)', () => {
    const { status, stderr } = startAndFail({ PORT: 'eighty' });
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/^Cannot start: PORT must be a number .*\.env\.example explains each setting\.$/);
  });

  it('starts an empty installation, stops on SIGTERM, and restarts without data loss', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'madhouse-'));
    const first = await startServer({ SEED: 'none' }, folder);
    expect(first.output()).toMatch(/Setup key \(shown once, .*: \S{20,}/);
    expect(await first.stop({ keep: true })).toBe(0);
    server = await startServer({ SEED: 'none' }, folder);
    expect(server.output()).not.toContain('Setup key');
    // A reload by systemd has nothing to replace.
    server.process.kill('SIGHUP');
    expect((await fetch(`${server.base}/health`)).status).toBe(200);
  });

  it('cannot open a data folder twice: the second start names the process that uses it', async () => {
    const { status, stderr } = startAndFail({
      PORT: String(await freePort()),
      DATA_DIR: server.dataDir,
      SEED: 'none',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain(server.dataDir);
    expect(stderr).toContain(String(server.process.pid));
    expect((await fetch(`${server.base}/ready`)).status).toBe(200);
  });

  it('reports a used port before anything is created', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'madhouse-'));
    try {
      const { status, stderr } = startAndFail({ PORT: new URL(server.base).port, DATA_DIR: folder, SEED: 'none' });
      expect(status).toBe(1);
      expect(stderr).toMatch(/Port \d+ on 127\.0\.0\.1 is taken/);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
