import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { errors, StorageError } from '../errors.ts';
import { makeVariant } from './make-variant.ts';
import { measure, rewrite } from './rewrite.ts';

const jobs = { measure, rewrite, makeVariant };

export type DecoderJobs = typeof jobs;
export type JobResult = { result: unknown } | { error: ConstructorParameters<typeof StorageError> };

sharp.cache(false);
sharp.concurrency(1);
try {
  // When memory runs out, the kernel kills this process before the server and the database.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Linux only.
}

process.on('message', async ([name, ...args]: [keyof DecoderJobs, ...unknown[]]) => {
  process.send!('started');
  process.send!(await runJob(name, args));
});
// Not `exit`, which waits for the image library.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function runJob(name: keyof DecoderJobs, args: unknown[]): Promise<JobResult> {
  try {
    const job = jobs[name] as (...args: unknown[]) => Promise<unknown>;
    return { result: await job(...args) };
  } catch (error) {
    const { statusCode, code, message, ...rest } = error instanceof StorageError ? error : errors.invalidSourceImage();
    return { error: [statusCode, code, message, { error: rest.error, retryAfter: rest.retryAfter }] };
  }
}
