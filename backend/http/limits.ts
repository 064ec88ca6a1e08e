import type { Context } from 'hono';

/** A body that is larger than allowed, or not what it says it is. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly status: 400 | 413 | 415;
  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads a text body, never more than `limit` bytes.
 * @throws BodyError as `readBytes` does, and 400 when it is not UTF-8
 */
export async function readText(c: Context, limit: number): Promise<string> {
  const bytes = await readBytes(c, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError(400, 'The body is not valid UTF-8');
  }
}

/**
 * Reads a body, never more than `limit` bytes: by Content-Length before reading, by count when chunked.
 * @throws BodyError 413 when too large, 415 when compressed, 400 when it ends too early
 */
export async function readBytes(c: Context, limit: number): Promise<Buffer> {
  const encoding = c.req.header('content-encoding');
  if (encoding && encoding !== 'identity') throw new BodyError(415, `Content-Encoding ${encoding} is not accepted`);
  if (Number(c.req.header('content-length') ?? 0) > limit)
    throw new BodyError(413, `The body is larger than ${limit} bytes`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of whole(c.req.raw.body)) {
    size += chunk.byteLength;
    if (size > limit) throw new BodyError(413, `The body is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The pieces of a body. That a sender goes away in the middle is no fault of ours. */
async function* whole(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new BodyError(400, 'The body ended before it was complete');
  }
}

/** Deepest nesting of a JSON text, counted before parsing: deep input is dangerous to the embedded engine (TM-46). */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}

/** Levels of a JSON body. */
export const JSON_DEPTH = 32;

/** Most that one list or one object of a JSON body may hold. */
export interface Breadth {
  keys: number;
  entries: number;
}

export const BREADTH: Breadth = { keys: 500, entries: 1000 };

/**
 * What is too wide in a JSON value, as a sentence; null when nothing is.
 * @param value no deeper than `jsonDepth` was seen to allow
 */
export function tooWide(value: unknown, { keys, entries }: Breadth): string | null {
  if (value === null || typeof value !== 'object') return null;
  const inner = Object.values(value);
  if (Array.isArray(value) && inner.length > entries) return `More than ${entries} entries in one list`;
  if (!Array.isArray(value) && inner.length > keys) return `More than ${keys} keys in one object`;
  for (const one of inner) {
    const found = tooWide(one, { keys, entries });
    if (found) return found;
  }
  return null;
}
