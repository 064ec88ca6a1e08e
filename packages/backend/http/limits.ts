import type { Context } from 'hono';

export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly status: 400 | 413 | 415;
  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads UTF-8 text of at most `limit` bytes. @throws BodyError as `readBytes`, and 400 for invalid UTF-8 */
export async function readText(c: Context, limit: number): Promise<string> {
  const bytes = await readBytes(c, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError(400, 'The body is not valid UTF-8');
  }
}

/** @throws BodyError 413 above `limit` bytes, by Content-Length before reading; 415 when compressed, 400 when truncated */
export async function readBytes(c: Context, limit: number): Promise<Buffer> {
  const encoding = c.req.header('content-encoding');
  if (encoding && encoding !== 'identity') throw new BodyError(415, `Content-Encoding ${encoding} is not accepted`);
  if (Number(c.req.header('content-length') ?? 0) > limit)
    throw new BodyError(413, `The body is larger than ${limit} bytes`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readWhole(c.req.raw.body)) {
    size += chunk.byteLength;
    if (size > limit) throw new BodyError(413, `The body is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* readWhole(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new BodyError(400, 'The body ended before it was complete');
  }
}

/** Nesting depth, counted before parsing: deep input can crash the embedded engine (TM-46). */
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

export const JSON_DEPTH = 32;

export const BREADTH = { keys: 500, entries: 1000 };
export type Breadth = typeof BREADTH;

export function tooWide(value: unknown, { keys, entries }: Breadth): string | null {
  if (value === null || typeof value !== 'object') return null;
  const inner = Object.values(value);
  if (Array.isArray(value) && inner.length > entries) return `More than ${entries} entries in one list`;
  if (!Array.isArray(value) && inner.length > keys) return `More than ${keys} keys in one object`;
  for (const nested of inner) {
    const problem = tooWide(nested, { keys, entries });
    if (problem) return problem;
  }
  return null;
}

export const bareType = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';')[0]!.trim().toLowerCase();
