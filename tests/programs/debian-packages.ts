import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs packages where this is root on Debian. @returns false where it is not */
export function installPackages(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${packages.join(' and ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update'], { stdio: 'ignore', env });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore', env });
  return true;
}

/**
 * The program of a package, installed first when it is missing. Where it cannot be had, says so: its tests are skipped.
 * `tests/run.ts` asks once before everything, so that two test files never install at the same time.
 */
export function findProgram(name: string, path = `/usr/sbin/${name}`): string | null {
  if (existsSync(path) || (installPackages([name]) && existsSync(path))) return path;
  console.log(`No ${name} here, so its tests are skipped: the package "${name}" would bring it.`);
  return null;
}
