import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Only `tests/run.ts` may, once, before everything, so that two test files never install at the same time. */
let mayInstall = false;
export const allowInstalling = (): void => {
  mayInstall = true;
};

const skipped = new Map<string, string>();

/** Notes which tests are left out on this machine, and what they need. */
export const noteSkipped = (tests: string, needs: string): void => void skipped.set(tests, needs);

/** A line for each kind of tests that is left out. */
export const skippedLines = (): string[] => [...skipped].map(([tests, needs]) => `- ${tests}: ${needs}`);

/** Installs packages where that is allowed, by root on Debian. @returns false where it is not, or failed */
export function installPackages(packages: readonly string[]): boolean {
  if (!mayInstall || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${packages.join(', ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore', env });
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore', env });
    return true;
  } catch {
    return false;
  }
}

/** Path of the program of a package, installed first where that is allowed; null, and noted, where it is missing. */
export function findProgram(name: string, tests: string, path = `/usr/sbin/${name}`): string | null {
  if (existsSync(path) || (installPackages([name]) && existsSync(path))) return path;
  noteSkipped(tests, `apt-get install ${name}`);
  return null;
}
