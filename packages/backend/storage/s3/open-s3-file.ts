import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { openBytes, type StoredFile, StoreUnavailable } from '../store.ts';
import { readChunks, type S3Client } from './s3-client.ts';

/** Bytes. Objects up to this size are read at once, and requested again when truncated; larger ones are streamed. */
const MAX_BUFFERED_BYTES = 512 * 1024;

interface Range {
  start: number;
  end: number;
}

export function openS3File(client: S3Client, key: string): Promise<StoredFile | null> {
  return client.request({ method: 'GET', key }, async (response) => {
    if (!response) return null;
    const size = sizeOf(response);
    if (size > MAX_BUFFERED_BYTES) return new StreamedFile(client, key, size, response);
    return openBytes(Buffer.concat(await Array.fromAsync(exactLength(readChunks(response), size))));
  });
}

function sizeOf({ headers }: IncomingMessage): number {
  const size = Number(headers['content-length'] ?? Number.NaN);
  const storedSize = headers['x-amz-meta-size'];
  if (!Number.isSafeInteger(size) || (storedSize !== undefined && Number(storedSize) !== size))
    throw new StoreUnavailable(
      `${headers['content-length']} bytes announced, but the object has ${storedSize ?? 'an unknown number'}`,
    );
  return size;
}

/** Passes on exactly `size` bytes. @throws StoreUnavailable when there are fewer or more */
async function* exactLength(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let remaining = size;
  for await (const chunk of chunks) {
    remaining -= chunk.length;
    if (remaining < 0) break;
    yield chunk;
  }
  if (remaining !== 0) throw new StoreUnavailable(`an object of ${size} bytes was truncated`);
}

class StreamedFile implements StoredFile {
  readonly size: number;
  readonly #client: S3Client;
  readonly #key: string;
  readonly #response: IncomingMessage;
  readonly #chunks: AsyncGenerator<Buffer>;

  constructor(client: S3Client, key: string, size: number, response: IncomingMessage) {
    this.#client = client;
    this.#key = key;
    this.size = size;
    this.#response = response;
    this.#chunks = exactLength(readChunks(response), size);
  }

  async read(range: Range = { start: 0, end: this.size - 1 }): Promise<Readable> {
    // A range that starts soon is skipped to in the same response; a later one gets its own request.
    if (range.start > MAX_BUFFERED_BYTES) {
      await this.close();
      return toReadable(await this.#requestRange(range));
    }
    return toReadable({ chunks: sliceChunks(this.#chunks, range), close: () => void this.#response.destroy() });
  }

  async close(): Promise<void> {
    this.#response.destroy();
  }

  async #requestRange({ start, end }: Range): Promise<RangeStream> {
    const headers = { range: `bytes=${start}-${end}` };
    return this.#client.request({ method: 'GET', key: this.#key, headers }, (response) => {
      if (response?.statusCode !== 206 || response.headers['content-range'] !== `bytes ${start}-${end}/${this.size}`)
        throw new StoreUnavailable('the response is not the requested range');
      return { chunks: exactLength(readChunks(response), end - start + 1), close: () => void response.destroy() };
    });
  }
}

interface RangeStream {
  chunks: AsyncGenerator<Buffer>;
  close(): void;
}

async function* sliceChunks(chunks: AsyncGenerator<Buffer>, { start, end }: Range): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position));
    position += chunk.length;
    if (part.length) yield part;
    if (position > end + 1) return;
  }
}

function toReadable({ chunks, close }: RangeStream): Readable {
  return Readable.from(chunks, { objectMode: false }).once('close', close);
}
