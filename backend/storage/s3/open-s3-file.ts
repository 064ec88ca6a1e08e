import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { inMemory, type Opened, StoreAway } from '../store.ts';
import { chunksOf, type S3Client } from './s3-client.ts';

/** Bytes. Objects up to this size are read at once, and requested again when truncated; larger ones are streamed. */
const AT_ONCE = 512 * 1024;

interface Range {
  start: number;
  end: number;
}

export function openAnswer(client: S3Client, key: string): Promise<Opened | null> {
  return client.ask({ method: 'GET', key }, async (answer) => {
    if (!answer) return null;
    const size = sizeOf(answer);
    if (size > AT_ONCE) return new Streamed(client, key, size, answer);
    return inMemory(Buffer.concat(await Array.fromAsync(exactly(chunksOf(answer), size))));
  });
}

function sizeOf({ headers }: IncomingMessage): number {
  const size = Number(headers['content-length'] ?? Number.NaN);
  const written = headers['x-amz-meta-size'];
  if (!Number.isSafeInteger(size) || (written !== undefined && Number(written) !== size))
    throw new StoreAway(`${headers['content-length']} bytes were announced of ${written ?? 'an object'}`);
  return size;
}

/** Passes on exactly `size` bytes. @throws StoreAway when there are fewer or more */
async function* exactly(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new StoreAway(`an object of ${size} bytes was cut off`);
}

class Streamed implements Opened {
  readonly size: number;
  readonly #client: S3Client;
  readonly #key: string;
  readonly #answer: IncomingMessage;
  readonly #chunks: AsyncGenerator<Buffer>;

  constructor(client: S3Client, key: string, size: number, answer: IncomingMessage) {
    this.#client = client;
    this.#key = key;
    this.size = size;
    this.#answer = answer;
    this.#chunks = exactly(chunksOf(answer), size);
  }

  async read(range: Range = { start: 0, end: this.size - 1 }): Promise<Readable> {
    // A range that starts soon is skipped to in the same response; a later one gets its own request.
    if (range.start > AT_ONCE) {
      await this.close();
      return asStream(await this.#ask(range));
    }
    return asStream({ chunks: between(this.#chunks, range), close: () => void this.#answer.destroy() });
  }

  async close(): Promise<void> {
    this.#answer.destroy();
  }

  async #ask({ start, end }: Range): Promise<Coming> {
    const headers = { range: `bytes=${start}-${end}` };
    return this.#client.ask({ method: 'GET', key: this.#key, headers }, (answer) => {
      if (answer?.statusCode !== 206 || answer.headers['content-range'] !== `bytes ${start}-${end}/${this.size}`)
        throw new StoreAway('the response is not the requested range');
      return { chunks: exactly(chunksOf(answer), end - start + 1), close: () => void answer.destroy() };
    });
  }
}

interface Coming {
  chunks: AsyncGenerator<Buffer>;
  close(): void;
}

async function* between(chunks: AsyncGenerator<Buffer>, { start, end }: Range): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.length;
    if (part.length) yield part;
    if (at > end + 1) return;
  }
}

function asStream({ chunks, close }: Coming): Readable {
  return Readable.from(chunks, { objectMode: false }).once('close', close);
}
