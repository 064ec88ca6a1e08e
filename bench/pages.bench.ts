import { findBrowser } from '../tests/programs/chromium.ts';
import { launch, lighthouse, type Result } from '../tests/programs/lighthouse.ts';
import { publicPages } from '../tests/public-pages.ts';
import { median } from './measuring/load.ts';
import { withServer } from './measuring/with-server.ts';

const RUNS = 3;
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** Other columns of the report: divisor, decimals, width, and the largest value that meets the goal. */
const FIGURES: Record<string, [divisor: number, digits: number, width: number, goal: number]> = {
  'LCP s': [1_000, 2, 8, 1_000],
  CLS: [1, 3, 7, 0],
  'TBT ms': [1, 0, 8, 0],
  'script kB': [1_000, 1, 11, 5_000],
  'fonts kB': [1_000, 1, 10, 100_000],
  'HTML kB': [1_000, 1, 9, 12_000],
  'page kB': [1_000, 0, 9, 450_000],
};
/** Scores of the categories and the figures, in the order of the columns. */
type Measured = number[];

/**
 * Lighthouse scores of every public page on its simulated phone and network, median of three runs. Lighthouse does not
 * measure error responses, so the 404 page is excluded.
 */
export default async function pages(): Promise<void> {
  const chromePath = findBrowser();
  await withServer({ SEED: 'demo' }, async (server) => {
    const scores = CATEGORIES.map((name) => name.slice(0, 13).padStart(14));
    const figures = Object.entries(FIGURES).map(([name, [, , width]]) => name.padStart(width));
    console.log(`${'page'.padEnd(14)} ${[...scores, ...figures].join('')}`);
    const { 'not-found': _, ...pages } = await publicPages(server.base);
    for (const [name, path] of Object.entries(pages)) {
      const runs: Measured[] = [];
      for (let run = 0; run < RUNS; run++) runs.push(await measurePage(chromePath, server.base + path));
      const medians = runs[0]!.map((_, column) => median(runs.map((run) => run[column]!)));
      report(name, medians);
    }
  });
}

async function measurePage(chromePath: string, url: string): Promise<Measured> {
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
    const figureOf = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
    return [
      ...CATEGORIES.map((name) => Math.round(100 * (categories[name]?.score ?? 0))),
      figureOf('largest-contentful-paint'),
      figureOf('cumulative-layout-shift'),
      figureOf('total-blocking-time'),
      ...['Script', 'Font', 'Document', undefined].map(bytesOf),
    ];
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

function report(name: string, measured: Measured): void {
  const scores = measured.slice(0, CATEGORIES.length);
  const areFiguresMet = Object.values(FIGURES).every(([, , , goal], at) => measured[CATEGORIES.length + at]! <= goal);
  const isMet = scores.every((score) => score === 100) && areFiguresMet;
  const figures = Object.values(FIGURES).map(([divisor, digits, width], at) =>
    (measured[CATEGORIES.length + at]! / divisor).toFixed(digits).padStart(width),
  );
  const columns = [...scores.map((score) => String(score).padStart(14)), ...figures];
  console.log(`${name.padEnd(14)} ${columns.join('')}  ${isMet ? 'met' : 'MISSED'}`);
}
