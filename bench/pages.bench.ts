import { findBrowser } from '../tests/programs/chromium.ts';
import { launch, lighthouse, type Result } from '../tests/programs/lighthouse.ts';
import { publicPages } from '../tests/public-pages.ts';
import { startServer } from '../tests/server.ts';
import { median } from './measuring/load.ts';

const RUNS = 3;
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface PageScores {
  scores: number[];
  lcp: number;
  cls: number;
  tbt: number;
  script: number;
  fonts: number;
  html: number;
  page: number;
}

/**
 * Lighthouse scores of every public page on its simulated phone and network, median of three runs. Lighthouse does not
 * measure error responses, so the 404 page is excluded.
 */
export default async function pages(): Promise<void> {
  const chromePath = findBrowser();
  const server = await startServer({ SEED: 'demo', LOG_LEVEL: 'silent' });
  try {
    console.log(
      `${'page'.padEnd(14)} ${CATEGORIES.map((name) => name.slice(0, 13).padStart(14)).join('')}   LCP s    CLS  TBT ms  script kB  fonts kB  HTML kB  page kB`,
    );
    const { 'not-found': _, ...pages } = await publicPages(server.base);
    for (const [name, path] of Object.entries(pages)) {
      const runs: PageScores[] = [];
      for (let run = 0; run < RUNS; run++) runs.push(await measurePage(chromePath, server.base + path));
      report(name, medianScores(runs));
    }
  } finally {
    await server.stop();
  }
}

async function measurePage(chromePath: string, url: string): Promise<PageScores> {
  const chrome = await launch({ chromePath, chromeFlags: FLAGS, logLevel: 'silent' });
  try {
    const result = await lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'silent' });
    if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
    const { categories, audits } = result.lhr;
    const requests = networkRequests(result.lhr);
    const bytesOf = (kind?: string) =>
      requests
        .filter(({ resourceType }) => !kind || resourceType === kind)
        .reduce((sum, { transferSize }) => sum + transferSize, 0);
    return {
      scores: CATEGORIES.map((name) => Math.round(100 * (categories[name]?.score ?? 0))),
      lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
      cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      tbt: audits['total-blocking-time']?.numericValue ?? Number.NaN,
      script: bytesOf('Script'),
      fonts: bytesOf('Font'),
      html: bytesOf('Document'),
      page: bytesOf(),
    };
  } finally {
    chrome.kill();
  }
}

interface NetworkRequest {
  resourceType: string;
  /** Compressed bytes including headers. */
  transferSize: number;
}

const networkRequests = (lhr: Result): NetworkRequest[] =>
  (lhr.audits['network-requests']?.details as { items: NetworkRequest[] } | undefined)?.items ?? [];

function medianScores(runs: PageScores[]): PageScores {
  const medianOf = (read: (run: PageScores) => number) => median(runs.map(read));
  return {
    scores: CATEGORIES.map((_, at) => medianOf(({ scores }) => scores[at]!)),
    lcp: medianOf(({ lcp }) => lcp),
    cls: medianOf(({ cls }) => cls),
    tbt: medianOf(({ tbt }) => tbt),
    script: medianOf(({ script }) => script),
    fonts: medianOf(({ fonts }) => fonts),
    html: medianOf(({ html }) => html),
    page: medianOf(({ page }) => page),
  };
}

function report(name: string, { scores, lcp, cls, tbt, script, fonts, html, page }: PageScores): void {
  const goals = [
    ...scores.map((score) => score === 100),
    lcp <= 1_000,
    cls === 0,
    tbt === 0,
    script <= 5_000,
    fonts <= 100_000,
    html <= 12_000,
    page <= 450_000,
  ];
  const figures = [
    ...scores.map((score) => String(score).padStart(14)),
    (lcp / 1_000).toFixed(2).padStart(8),
    cls.toFixed(3).padStart(7),
    tbt.toFixed(0).padStart(8),
    (script / 1_000).toFixed(1).padStart(11),
    (fonts / 1_000).toFixed(1).padStart(10),
    (html / 1_000).toFixed(1).padStart(9),
    (page / 1_000).toFixed(0).padStart(9),
  ];
  console.log(`${name.padEnd(14)} ${figures.join('')}  ${goals.every(Boolean) ? 'met' : 'MISSED'}`);
}
