import { setTimeout as sleep } from 'node:timers/promises';

/** Starts `work` `times` times, evenly spread over `seconds`, without waiting for earlier calls. @returns error messages */
export async function runSpread(
  times: number,
  seconds: number,
  work: (at: number) => Promise<void>,
): Promise<string[]> {
  const failed: string[] = [];
  const running: Promise<void>[] = [];
  const start = performance.now();
  for (let at = 0; at < times; at++) {
    const wait = start + (at * seconds * 1000) / times - performance.now();
    if (wait > 1) await sleep(wait);
    running.push(work(at).catch((error: Error) => void failed.push(error.message)));
  }
  await Promise.all(running);
  return failed;
}
