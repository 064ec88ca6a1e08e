import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Bucket } from '../../config/config.ts';
import { type StoreCall, StoreUnavailable, storeCalls } from '../store.ts';

const RESPONSE_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 3;
const FIRST_RETRY_MS = 100;
const MAX_SOCKETS = 256;
/** Bytes; a list of a thousand names is smaller. */
const MAX_XML_BYTES = 4 * 1024 ** 2;

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | { path: string; size: number };
}

/** A rejection that a retry does not change. */
export class S3RequestRejected extends StoreUnavailable {
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
  readonly circuit: CircuitBreaker;
  /** Opened by rejected writes: a full or read-only bucket remains readable. */
  readonly writeCircuit: CircuitBreaker;
  readonly #agent: PlainAgent | SecureAgent;
  readonly #request: typeof plainRequest;
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(bucket: S3Bucket, probe: () => Promise<void>) {
    this.bucket = bucket;
    this.circuit = new CircuitBreaker(probe);
    this.writeCircuit = new CircuitBreaker(() => this.#probeWrites());
    const secure = bucket.url.startsWith('https:');
    this.#request = secure ? secureRequest : plainRequest;
    this.#agent = new (secure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets: MAX_SOCKETS });
  }

  /**
   * Up to three attempts: all requests are idempotent. Errors of `read` count as server failures. @throws StoreUnavailable
   * @param read receives null for a missing object
   */
  async request<T>(call: S3Call, read: (response: IncomingMessage | null) => T | Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const isWrite = call.method === 'PUT';
    let result: StoreCall['result'] = 'refused';
    const readCounted = (response: IncomingMessage | null) => {
      result = response ? 'ok' : 'missing';
      return read(response);
    };
    try {
      for (let attempt = 1; ; attempt++) {
        this.circuit.requireClosed();
        if (isWrite) this.writeCircuit.requireClosed();
        try {
          result = 'ok';
          const value = await this.requestOnce(call, readCounted);
          this.circuit.recordSuccess();
          if (isWrite) this.writeCircuit.recordSuccess();
          return value;
        } catch (error) {
          const reason = error as StoreUnavailable;
          result = reason instanceof S3RequestRejected ? 'denied' : 'away';
          (isWrite && reason instanceof S3RequestRejected ? this.writeCircuit : this.circuit).recordFailure(reason);
          if (reason instanceof S3RequestRejected || attempt >= MAX_ATTEMPTS) throw reason;
          await sleep(FIRST_RETRY_MS * 2 ** attempt * (0.5 + Math.random()));
        }
      }
    } finally {
      const ms = performance.now() - startedAt;
      const finished: StoreCall = { operation: operationOf(call), result, ms };
      if (storeCalls.hasSubscribers) storeCalls.publish(finished);
    }
  }

  async requestOnce<T = void>(call: S3Call, read?: (response: IncomingMessage | null) => T | Promise<T>): Promise<T> {
    try {
      return await this.#once(call, read);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      const text = `${call.method} in the bucket "${this.bucket.bucket}" of ${this.bucket.url}: ${message || code}`;
      if (error instanceof S3RequestRejected) throw new S3RequestRejected(error.status, error.reason, text);
      throw new StoreUnavailable(text, { cause: error });
    }
  }

  close(): void {
    this.circuit.close();
    this.writeCircuit.close();
    this.#agent.destroy();
  }

  async #probeWrites(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await this.requestOnce({ method: 'PUT', key, body: Buffer.from('\n') });
    await this.requestOnce({ method: 'DELETE', key });
  }

  async #once<T>(call: S3Call, read?: (response: IncomingMessage | null) => T | Promise<T>): Promise<T> {
    const response = await this.#send(call);
    const status = response.statusCode!;
    try {
      if (status >= 200 && status < 300) {
        if (read) return await read(response);
        await readText(response);
        return undefined as T;
      }
      const body = call.method === 'HEAD' ? '' : await readText(response);
      const code = xmlValue(body, 'Code') ?? '';
      // A missing bucket must not be reported as a missing file.
      if (status === 404 && read && (call.method === 'HEAD' || code === 'NoSuchKey')) return await read(null);
      const reason = `${status} ${code || response.statusMessage}`.trim();
      if (status >= 500 || status === 429) throw new StoreUnavailable(reason);
      throw new S3RequestRejected(status, reason);
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  async #send({ method, key = '', query = {}, headers = {}, body }: S3Call) {
    const { url: base, bucket, prefix, region, accessKeyId, secretAccessKey } = this.bucket;
    const url = new URL(`${base}/${bucket}${key && `/${prefix}${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const length = body instanceof Uint8Array ? body.byteLength : body?.size;
    const unsigned = { ...headers, ...(length !== undefined && { 'content-length': String(length) }) };
    const signing = { accessKeyId, secretAccessKey, region, service: 's3', cache: this.#signingKeys };
    const signed = await new AwsV4Signer({ method, url: url.href, headers: unsigned, ...signing }).sign();
    const signedHeaders = Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const request = this.#request(signed.url, { method, agent: this.#agent, headers: signedHeaders });
      const onTimeout = () => request.destroy(new Error(`no response for ${RESPONSE_TIMEOUT_MS / 1000} s`));
      const timer = setTimeout(onTimeout, RESPONSE_TIMEOUT_MS);
      request.once('response', (response) => {
        clearTimeout(timer);
        // The reader gets the error; this listener only prevents an uncaught one.
        response.on('error', () => {});
        resolve(response);
      });
      request.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      if (!body || body instanceof Uint8Array) return void request.end(body);
      const file = createReadStream(body.path);
      file.once('error', (error) => request.destroy(error));
      file.on('data', () => timer.refresh());
      request.once('close', () => file.destroy());
      file.pipe(request);
    });
  }
}

/** The chunks of a response, each with a timeout; throws when it is truncated. */
export async function* readChunks(response: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new Error('the response was interrupted')), RESPONSE_TIMEOUT_MS);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!response.readableEnded) response.destroy();
  }
}

export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readChunks(response)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_XML_BYTES) throw new Error('the response is too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}

export const xmlValue = (xml: string, name: string): string | undefined => xmlValues(xml, name)[0];

/** The texts of all elements with that name. S3's responses need no XML parser. */
export const xmlValues = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    text!.replace(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => ENTITIES[entity]!),
  );

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

const MAX_FAILURES = 10;
const PROBE_INTERVAL_MS = 1_000;

/** Circuit breaker: after ten consecutive failures it opens and sends a probe every second, even if one is pending. */
class CircuitBreaker {
  readonly #probe: () => Promise<void>;
  #failures = 0;
  #openReason: StoreUnavailable | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  requireClosed(): void {
    if (this.#openReason) throw this.#openReason;
  }

  recordSuccess(): void {
    this.#failures = 0;
  }

  recordFailure(reason: StoreUnavailable): void {
    if (++this.#failures >= MAX_FAILURES) this.open(reason);
  }

  open(reason: StoreUnavailable): void {
    this.#openReason = reason;
    this.#timer ??= setInterval(() => void this.#runProbe(), PROBE_INTERVAL_MS).unref();
  }

  isOpen = () => this.#openReason !== null;

  close = () => clearInterval(this.#timer);

  async #runProbe(): Promise<void> {
    try {
      await this.#probe();
      this.close();
      this.#timer = undefined;
      this.#failures = 0;
      this.#openReason = null;
    } catch (error) {
      if (this.#openReason && error instanceof StoreUnavailable) this.#openReason = error;
    }
  }
}
