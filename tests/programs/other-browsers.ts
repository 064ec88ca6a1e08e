import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import puppeteer, { type ElementHandle } from 'puppeteer-core';
import { Builder, By, Capabilities } from 'selenium-webdriver';
import { freePort } from '../free-port.ts';
import { installPackages, noteSkipped } from './debian-packages.ts';

/** Page actions that Firefox and WebKit share. Elements are found by CSS selector. */
export interface OtherPage {
  goto(address: string): Promise<void>;
  read<T>(expression: string): Promise<T>;
  click(selector: string): Promise<void>;
  type(selector: string, words: string): Promise<void>;
  attach(selector: string, file: string): Promise<void>;
  drawn(selector: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

export const OTHER_ENGINES = ['Firefox', 'WebKit'] as const;
export type OtherEngine = (typeof OTHER_ENGINES)[number];

/** Programs, and the Debian packages that contain them. */
const NEEDED: Record<OtherEngine, { packages: string[]; found: () => boolean }> = {
  Firefox: { packages: ['firefox-esr'], found: () => firefox() !== undefined },
  WebKit: {
    packages: ['webkit2gtk-driver', 'xvfb'],
    found: () => Boolean(onPath('WebKitWebDriver') && onPath('Xvfb') && miniBrowser()),
  },
};

const onPath = (...names: string[]) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

const firefox = () => onPath('firefox-esr', 'firefox');

/** MiniBrowser of WebKit, which is beside the library in a folder named after the version. */
function miniBrowser(): string | undefined {
  for (const folder of ['/usr/lib', `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`]) {
    const versions = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('webkit2gtk-4')) : [];
    const found = versions.map((name) => join(folder, name, 'MiniBrowser')).find((file) => existsSync(file));
    if (found) return found;
  }
}

export const isHere = (engine: OtherEngine): boolean => NEEDED[engine].found();

/** Installs Firefox and WebKit if allowed. */
export function findOtherBrowsers(): void {
  for (const engine of OTHER_ENGINES) {
    const { packages } = NEEDED[engine];
    if (!isHere(engine)) installPackages(packages);
    if (!isHere(engine)) noteSkipped(`journeys in ${engine}`, `apt-get install ${packages.join(' ')}`);
  }
}

/** A window of 390 × 844 pixels, if the engine supports that width. */
export const openOther = (engine: OtherEngine): Promise<OtherPage> =>
  engine === 'Firefox' ? openFirefox() : openWebKit();

async function openFirefox(): Promise<OtherPage> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox()!, headless: true });
  const page = await browser.newPage();
  await page.setViewport({ width: 390, height: 844 });
  const scrollTo = async (selector: string) => {
    const element = await page.waitForSelector(selector, { timeout: 60_000 });
    await element!.evaluate((found) => found.scrollIntoView({ block: 'center' }));
    return element!;
  };
  return {
    goto: async (address) => void (await page.goto(address)),
    read: (expression) => page.evaluate(expression) as never,
    click: async (selector) => (await scrollTo(selector)).click(),
    async type(selector, words) {
      await (await scrollTo(selector)).click();
      await page.keyboard.type(words);
    },
    attach: async (selector, file) =>
      ((await page.waitForSelector(selector)) as ElementHandle<HTMLInputElement>).uploadFile(file),
    drawn: async (selector) => (await scrollTo(selector)).screenshot(),
    close: () => browser.close(),
  };
}

async function openWebKit(): Promise<OtherPage> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const port = await freePort();
  let driver: ChildProcess | undefined;
  const end = () => {
    driver?.kill();
    screen.kill();
  };
  try {
    const display = await new Promise<string>((resolve, failed) => {
      (screen.stdio[3] as Readable).once('data', (number) => resolve(`:${String(number).trim()}`));
      screen.once('exit', () => failed(new Error('Xvfb exited')));
    });
    const env = { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' };
    driver = spawn(onPath('WebKitWebDriver')!, [`--port=${port}`], { stdio: 'ignore', env });
    const address = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${address}/status`).catch(() => null))?.ok)
      await new Promise((wait) => setTimeout(wait, 100));
    const options = { binary: miniBrowser()!, args: ['--automation'] };
    const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options });
    const browser = await new Builder().usingServer(address).withCapabilities(capabilities).build();
    await browser.manage().window().setRect({ width: 390, height: 844 });
    const scrollTo = async (selector: string) => {
      const element = await browser.wait(async () => (await browser.findElements(By.css(selector)))[0], 20_000);
      await browser.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
      return element!;
    };
    return {
      goto: (path) => browser.get(path),
      read: (expression) => browser.executeScript(`return (async () => (${expression}))()`),
      click: async (selector) => (await scrollTo(selector)).click(),
      type: async (selector, words) => (await scrollTo(selector)).sendKeys(words),
      attach: async (selector, file) => browser.findElement(By.css(selector)).sendKeys(file),
      drawn: async (selector) => Buffer.from(await (await scrollTo(selector)).takeScreenshot(), 'base64'),
      async close() {
        await browser.quit().catch(() => {});
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}
