import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { newAddress } from '../../tests/server.ts';
import { sendRequest } from './load.ts';
import { runSpread } from './spread.ts';

export interface Views {
  base: string;
  perSecond: number;
  seconds: number;
}

/** Response times in milliseconds in ascending order, and messages of failed requests. */
export interface Viewed {
  times: number[];
  faults: string[];
}

const PAGES = [
  '/',
  '/case-studies',
  '/about',
  '/join',
  '/case-studies?category=ai',
  '/case-studies?page=2',
  '/contact',
];
const { base, perSecond, seconds } = workerData as Views;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const times: number[] = [];
const viewPage = async (at: number) => {
  const start = performance.now();
  const headers = { 'x-forwarded-for': newAddress(), 'accept-encoding': 'br' };
  await sendRequest(agent, { url: base + PAGES[at % PAGES.length], headers }, 200);
  times.push(performance.now() - start);
};
const faults = await runSpread(perSecond * seconds, seconds, viewPage);
agent.destroy();
parentPort!.postMessage({ times: times.sort((a, b) => a - b), faults } satisfies Viewed);
