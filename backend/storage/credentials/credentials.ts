import { readFile, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { type Source, sourceNamed } from '../label/packet.ts';

const STATES = ['intact', 'changed', 'unproven'] as const;
type State = (typeof STATES)[number];

/** The content credentials (C2PA) that an uploaded file brought along, as far as they could be read. */
export interface Credentials {
  /**
   * `intact`: the file is what was signed. `changed`: it is not. `unproven`: we cannot tell, such as for a certificate out of
   * date. None says who the signer is: anybody can make a certificate with any name in it.
   */
  state: State;
  /** Whom the certificate names. */
  signer?: string;
  /** The program that wrote the credentials. */
  tool?: string;
  /** When, as a time stamp of the signature says it. */
  signed?: string;
  source?: Source;
}

/** Larger files are not looked into; the bucket of the product takes 10 MB. */
const MOST = 20 * 1024 ** 2;
const MILLISECONDS = 5000;
const MEGABYTES = 96;
const LONGEST = 120;

/**
 * Reads the content credentials of a picture as it came, in a thread of its own with little time and memory: who sends a
 * file decides what there is to parse.
 * @returns null when there are none, or none that could be read; an upload never fails for them
 */
export async function credentialsOf(path: string): Promise<Credentials | null> {
  if ((await stat(path)).size > MOST) return null;
  const bytes = await readFile(path);
  if (!bytes.includes('jumb') || !bytes.includes('c2pa')) return null;
  const told = await inWorker(new Uint8Array(bytes));
  const state = STATES.find((one) => one === told?.['state']);
  if (!told || !state) return null;
  const source = sourceNamed(told['source']);
  return {
    state,
    ...plain('signer', told),
    ...plain('tool', told),
    ...dated(told['signed']),
    ...(source && { source }),
  };
}

function inWorker(bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, unknown> | null> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: bytes,
    transferList: [bytes.buffer],
    env: {},
    // What the library has to say about a strange file is nobody's news.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 },
  });
  return new Promise((resolve) => {
    const late = setTimeout(() => end(null), MILLISECONDS);
    const end = (answer: Record<string, unknown> | null) => {
      clearTimeout(late);
      resolve(answer);
      void worker.terminate();
    };
    worker.once('message', end);
    worker.once('error', () => end(null));
    worker.once('exit', () => end(null));
  });
}

function plain<Name extends string>(name: Name, told: Record<string, unknown>): { [Key in Name]?: string } {
  const text = typeof told[name] === 'string' ? told[name].replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim() : '';
  return text ? ({ [name]: [...text].slice(0, LONGEST).join('') } as { [Key in Name]: string }) : {};
}

function dated(value: unknown): { signed?: string } {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? { signed: value.toISOString() } : {};
}
