import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { canBuildImages } from '../../programs/buildah.ts';

it.skipIf(!canBuildImages())(
  'builds the image on a minimal Debian; start, backup, restore and stop work in it',
  { timeout: 1_200_000 },
  () => {
    const { status, stdout, stderr } = spawnSync('bash', ['tests/operator/installing/try-image.sh'], {
      encoding: 'utf8',
    });
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toContain('the restored list and picture are the same');
  },
);
