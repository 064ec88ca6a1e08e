import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { DiskSpace } from './disk-space.ts';

const GB = 1024 ** 3;

it('on a full disk refuses files first, then rows, and last the writes that free space (D7)', async () => {
  const refused = async (reserve: number) => {
    const disk = new DiskSpace(tmpdir(), reserve);
    return [await disk.has('files'), await disk.has('data'), await disk.has('essentials')];
  };
  const { bavail, bsize } = statfsSync(tmpdir());
  const free = bavail * bsize;
  expect(await refused(free / 2)).toEqual([true, true, true]);
  expect(await refused(free * 2)).toEqual([false, true, true]);
  expect(await refused(free * 8)).toEqual([false, false, true]);
  expect(await refused(free * 64)).toEqual([false, false, false]);
});

it('subtracts bytes written since the last check, reserved bytes and the announced size', async () => {
  const disk = new DiskSpace(tmpdir(), GB);
  const free = await disk.free();
  expect(await disk.has('files', free - 2 * GB)).toBe(true);
  expect(await disk.has('files', free)).toBe(false);
  {
    using _held = disk.hold(free - 1.5 * GB);
    expect(await disk.has('files')).toBe(true);
    disk.take(GB);
    expect([await disk.has('files'), await disk.has('data')]).toEqual([false, true]);
  }
  expect(await disk.has('files')).toBe(true);
});

it('accepts all writes where free space is unknown', async () => {
  expect(await new DiskSpace('/there/is/no/such/folder', GB).has('files', GB)).toBe(true);
});
