import { open } from 'node:fs/promises';
import { errors } from '../errors.ts';

/** Reads of one file. A film of two hours takes about 2,000; a file made of tiny parts would take millions. */
const MAX_READS = 20_000;

export interface FileReader {
  size: number;
  /** Shorter at the end of the file. @throws InvalidRequest (422) after too many reads */
  read(at: number, length: number): Promise<Buffer>;
}

export async function withReader<T>(path: string, use: (file: FileReader) => Promise<T>): Promise<T> {
  await using handle = await open(path, 'r');
  let reads = 0;
  const { size } = await handle.stat();
  return await use({
    size,
    async read(at, length) {
      if (++reads > MAX_READS) throw errors.invalidFile('The video is damaged and cannot be read. Export it again.');
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    },
  });
}

export const incomplete = () =>
  errors.invalidFile('The video ends before it is complete. Export it again, then upload the new file.');
