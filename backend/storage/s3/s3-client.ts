import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Bucket } from '../../../config.ts';
import { type StoreCall, storeCalls } from '../../store-calls.ts';
import { StoreAway } from '../store.ts';
import { Circuit } from './circuit-breaker.ts';

const SILENT_MS = 5_000;
const TRIES = 3;
const FIRST_PAUSE_MS = 100;
const MOST_SOCKETS = 256;
/** Bytes; a list of a thousand names is smaller. */
const MOST_XML = 4 * 1024 ** 2;

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | { path: string; size: number };
}

/** A rejection that a retry does not change. */
export class S3Refusal extends StoreAway {
  /** HTTP status; 0 when the response itself was invalid. */
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string, message = reason) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

function operationOf({ method, query, headers }: S3Call): StoreCall['operation'] {
  if (method === 'GET') return query?.['list-type'] ? 'list' : 'get';
  if (method === 'PUT') return headers?.['x-amz-copy-source'] ? 'copy' : 'put';
  return method === 'HEAD' ? 'head' : 'delete';
}

export class S3Client {
  readonly bucket: S3Bucket;
  readonly circuit: Circuit;
  /** Opened by rejected writes: a full or read-only bucket remains readable. */
  readonly intake: Circuit;
  readonly #agent: PlainAgent | SecureAgent;
  readonly #request: typeof plainRequest;
  readonly #signing = new Map<string, ArrayBuffer>();

  constructor(bucket: S3Bucket, probe: () => Promise<void>) {
    this.bucket = bucket;
    this.circuit = new Circuit(probe);
    this.intake = new Circuit(() => this.#tryIntake());
    const secure = bucket.url.startsWith('https:');
    this.#request = secure ? secureRequest : plainRequest;
    this.#agent = new (secure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets: MOST_SOCKETS });
  }

  /**
   * Up to three tries: all our requests are idempotent. Errors of `take` count as server failures too.
   * @param take receives null for a missing object
   * @throws StoreAway
   */
  async ask<T = void>(call: S3Call, take?: (answer: IncomingMessage | null) => T | Promise<T>): Promise<T> {
    const began = performance.now();
    const takesIn = call.method === 'PUT';
    let result: StoreCall['result'] = 'refused';
    const taking =
      take &&
      ((answer: IncomingMessage | null) => {
        result = answer ? 'ok' : 'missing';
        return take(answer);
      });
    try {
      for (let tried = 1; ; tried++) {
        this.circuit.pass();
        if (takesIn) this.intake.pass();
        try {
          result = 'ok';
          const taken = await this.askOnce(call, taking);
          this.circuit.succeeded();
          if (takesIn) this.intake.succeeded();
          return taken;
        } catch (error) {
          const reason = error as StoreAway;
          result = reason instanceof S3Refusal ? 'denied' : 'away';
          (takesIn && reason instanceof S3Refusal ? this.intake : this.circuit).failed(reason);
          if (reason instanceof S3Refusal || tried >= TRIES) throw reason;
          await sleep(FIRST_PAUSE_MS * 2 ** tried * (0.5 + Math.random()));
        }
      }
    } finally {
      if (storeCalls.hasSubscribers)
        storeCalls.publish({ operation: operationOf(call), result, ms: performance.now() - began } satisfies StoreCall);
    }
  }

  async askOnce<T = void>(call: S3Call, take?: (answer: IncomingMessage | null) => T | Promise<T>): Promise<T> {
    try {
      return await this.#once(call, take);
    } catch (error) {
      throw this.#inWords(call, error);
    }
  }

  close(): void {
    this.circuit.close();
    this.intake.close();
    this.#agent.destroy();
  }

  async #tryIntake(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await this.askOnce({ method: 'PUT', key, body: Buffer.from('\n') });
    await this.askOnce({ method: 'DELETE', key });
  }

  async #once<T>(call: S3Call, take?: (answer: IncomingMessage | null) => T | Promise<T>): Promise<T> {
    const answer = await this.#send(call);
    const status = answer.statusCode!;
    try {
      if (status >= 200 && status < 300) {
        if (take) return await take(answer);
        await textOf(answer);
        return undefined as T;
      }
      const said = call.method === 'HEAD' ? '' : await textOf(answer);
      const code = valueIn(said, 'Code') ?? '';
      // A missing bucket must not be reported as a missing file.
      if (status === 404 && take && (call.method === 'HEAD' || code === 'NoSuchKey')) return await take(null);
      const reason = `${status} ${code || answer.statusMessage}`.trim();
      if (status >= 500 || status === 429) throw new StoreAway(reason);
      throw new S3Refusal(status, reason);
    } catch (error) {
      answer.destroy();
      throw error;
    }
  }

  #inWords({ method }: S3Call, error: unknown): StoreAway {
    const { message, code } = error as NodeJS.ErrnoException;
    const text = `${method} in the bucket "${this.bucket.bucket}" of ${this.bucket.url}: ${message || code}`;
    return error instanceof S3Refusal
      ? new S3Refusal(error.status, error.reason, text)
      : new StoreAway(text, { cause: error });
  }

  async #send({ method, key = '', query = {}, headers = {}, body }: S3Call) {
    const { url: base, bucket, prefix, region, accessKeyId, secretAccessKey } = this.bucket;
    const url = new URL(`${base}/${bucket}${key && `/${prefix}${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const length = body instanceof Uint8Array ? body.byteLength : body?.size;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, ...(length !== undefined && { 'content-length': String(length) }) },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: this.#signing,
    }).sign();
    return new Promise<IncomingMessage>((answered, failed) => {
      const sending = this.#request(signed.url, {
        method,
        agent: this.#agent,
        headers: Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>),
      });
      const silent = setTimeout(() => sending.destroy(new Error(`no answer for ${SILENT_MS / 1000} s`)), SILENT_MS);
      sending.once('response', (answer) => {
        clearTimeout(silent);
        // The reader gets the error; this listener only prevents an uncaught one.
        answer.on('error', () => {});
        answered(answer);
      });
      sending.once('error', (error) => {
        clearTimeout(silent);
        failed(error);
      });
      if (!body || body instanceof Uint8Array) {
        sending.end(body);
        return;
      }
      const file = createReadStream(body.path);
      file.once('error', (error) => sending.destroy(error));
      file.on('data', () => silent.refresh());
      sending.once('close', () => file.destroy());
      file.pipe(sending);
    });
  }
}

/** The chunks of a response, each with a timeout; throws when it is truncated. */
export async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const stalled = setTimeout(() => answer.destroy(new Error('the response was interrupted')), SILENT_MS);
      const next = await chunks.next().finally(() => clearTimeout(stalled));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!answer.readableEnded) answer.destroy();
  }
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(answer)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_XML) throw new Error('the response is too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}

export const valueIn = (xml: string, name: string): string | undefined => valuesIn(xml, name)[0];

/** The texts of all elements of that name. S3's responses need no more of XML than this. */
export const valuesIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    text!.replace(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => ENTITIES[entity]!),
  );

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
