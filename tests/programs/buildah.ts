import { existsSync } from 'node:fs';
import { findProgram, noteSkipped } from './debian-packages.ts';

const TESTS = 'the container image';

export function canBuildImages(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    noteSkipped(TESTS, 'root on Debian, which debootstrap and buildah need');
    return false;
  }
  return Boolean(findProgram('debootstrap', TESTS) && findProgram('buildah', TESTS, '/usr/bin/buildah'));
}
