import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Set by `tests/run.ts` before the tests start, so that two test files never install at the same time. */
let mayInstall = false;
export const allowInstalling = (): void => {
  mayInstall = true;
};

const skipped = new Map<string, string>();

/** Records which tests are skipped on this machine, and which package they need. */
export const noteSkipped = (tests: string, needs: string): void => void skipped.set(tests, needs);

export const skippedLines = (): string[] => [...skipped].map(([tests, needs]) => `- ${tests}: ${needs}`);

let areListsNew = false;

/** Installs packages if allowed, which needs root on Debian. @returns false when not allowed or failed */
export function installPackages(packages: readonly string[]): boolean {
  if (!mayInstall || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${packages.join(', ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    if (!areListsNew) execFileSync('apt-get', ['update'], { stdio: 'ignore', env });
    areListsNew = true;
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore', env });
    return true;
  } catch {
    return false;
  }
}

/** Path of a program, whose package is installed first if allowed; null, and recorded, when it is missing. */
export function findProgram(name: string, tests: string, path = `/usr/sbin/${name}`): string | null {
  if (existsSync(path) || (installPackages([name]) && existsSync(path))) return path;
  noteSkipped(tests, `apt-get install ${name}`);
  return null;
}
