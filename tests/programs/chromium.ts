import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { installPackages } from './debian-packages.ts';

/** The headless shell has the same engine and needs a third less CPU. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
export const INSTRUCTION = 'install Chromium or Chrome, or set CHROMIUM_PATH to one';
const USUAL_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of Chromium: CHROMIUM_PATH, one of this machine, or Playwright's; null when none is installed. */
export function installedBrowser(): string | null {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const candidates = [process.env['CHROMIUM_PATH'] ?? '', ...onPath, ...USUAL_PLACES, chromium.executablePath()];
  return candidates.find((file) => file && existsSync(file)) ?? null;
}

/** Like `chromiumPath`. @throws Error with instructions when no Chromium is installed */
export function findBrowser(): string {
  const found = installedBrowser();
  if (!found) throw new Error(`No Chromium was found: ${INSTRUCTION}.`);
  return found;
}

/** Installs Chromium if missing: the Debian package as root, else Playwright's for this user. */
export function installBrowser(): void {
  if (installedBrowser() || installPackages(['chromium-headless-shell'])) return;
  console.log('Installing a browser for the tests …');
  const program = join('tests', 'node_modules', 'playwright-core', 'cli.js');
  spawnSync(process.execPath, [program, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
