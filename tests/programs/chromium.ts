import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** The shell is the same engine without a window around it, at two thirds of the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const USUAL_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of a Chromium: CHROMIUM_PATH, one on this machine, Playwright's own, else it installs one.
 * @throws Error that says how to provide one
 */
export async function findBrowser(): Promise<string> {
  const found = installed();
  if (found) return found;
  console.log('Installing a browser for the tests …');
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    run('apt-get', ['update']);
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']);
  } else {
    run(process.execPath, [join('node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium']);
  }
  const now = installed();
  if (now) return now;
  throw new Error(
    'No Chromium was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  );
}

function installed(): string | undefined {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [process.env['CHROMIUM_PATH'] ?? '', ...onPath, ...USUAL_PLACES, chromium.executablePath()].find(
    (file) => file && existsSync(file),
  );
}

const run = (command: string, args: string[]) =>
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
