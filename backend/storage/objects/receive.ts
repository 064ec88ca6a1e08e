import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { bareType } from '../../http/content-type.ts';
import { jsonDepth } from '../../http/limits.ts';
import type { Request } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { OverLimit, type Received } from '../temp-files.ts';

/** A body that arrived: its bytes in a scratch file, and what the sender said about them. */
export interface Arrival extends Received {
  /** As declared, lower case without parameters; null when nothing useful was said. */
  declared: string | null;
  /** The same with its parameters, which readers get to hear. */
  contentType: string | null;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

/** Bytes around the file in a multipart body: boundaries, part headers, fields. */
const MULTIPART_EXTRA = 64 * 1024;
/** Of a body that is refused for its size, so much is read and thrown away: browsers hear no answer before they are done. */
const MOST_DRAINED = 64 * 1024 * 1024;
const DRAIN_MS = 20_000;
const USER_METADATA = 8 * 1024;
const USER_METADATA_DEPTH = 8;

const isMultipart = (c: Request) => /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '');

/** The size of the file by Content-Length, at least; null when nothing is announced. */
export function announcedSize(c: Request): number | null {
  const length = c.req.header('content-length');
  if (length === undefined) return null;
  return isMultipart(c) ? Math.max(0, Number(length) - MULTIPART_EXTRA) : Number(length);
}

/**
 * Receives the body of an upload, raw or multipart, into a scratch file.
 * @param mayStore judges the declared type before the bytes are stored
 * @throws EntityTooLarge as soon as it is known; InvalidRequest for a body that is not what it says
 */
export async function receive(
  c: Request,
  limit: number,
  mayStore: (declared: string | null) => void,
): Promise<Arrival> {
  const multipart = isMultipart(c);
  const length = c.req.header('content-length');
  const announced = length === undefined ? null : Number(length);
  const body = new Body(c.req.raw.body);
  try {
    if (announced !== null && announced > limit + (multipart ? MULTIPART_EXTRA : 0)) throw errors.entityTooLarge();
    return multipart ? await receiveForm(c, body, limit, mayStore) : await receiveRaw(c, body, limit, mayStore);
  } catch (error) {
    await body.drain();
    if (error instanceof OverLimit) throw errors.entityTooLarge();
    throw error;
  }
}

async function receiveRaw(
  c: Request,
  body: Body,
  limit: number,
  mayStore: (declared: string | null) => void,
): Promise<Arrival> {
  const type = c.req.header('content-type');
  const declared = mimeType(type);
  mayStore(declared);
  const userMetadata = metadataOfHeader(c);
  const { path, size } = await c.var.house.scratch.receive(body.chunks(), limit);
  const cacheControl = c.req.header('cache-control') || 'no-cache';
  return { path, size, declared, contentType: withParameters(type), cacheControl, userMetadata };
}

async function receiveForm(
  c: Request,
  body: Body,
  limit: number,
  mayStore: (declared: string | null) => void,
): Promise<Arrival> {
  const { scratch } = c.var.house;
  const form = parser(c);
  const fields = new Map<string, string>();
  const files: { stored: Promise<Received>; declared: string | null }[] = [];
  let refusal: unknown = null;
  // Fields may come after the file, so nothing is decided before the last part was read.
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (_name, stream, _filename, _encoding, type) => {
    const declared = mimeType(type);
    try {
      if (files.length) throw errors.invalidRequest('One file at a time');
      mayStore(declared);
    } catch (error) {
      refusal ??= error;
      form.destroy(error as Error);
      return;
    }
    const stored = scratch.receive(stream, limit);
    stored.catch((error: unknown) => {
      refusal ??= error;
      form.destroy(error as Error);
    });
    files.push({ stored, declared });
  });
  try {
    await pipeline(Readable.from(body.chunks()), form);
    const file = files[0];
    if (!file) throw errors.invalidRequest('The form contains no file');
    const { path, size } = await file.stored;
    const cacheControl = fields.get('cacheControl');
    const type = fields.get('contentType');
    return {
      path,
      size,
      declared: mimeType(type) ?? file.declared,
      contentType: withParameters(type) ?? file.declared,
      cacheControl: cacheControl ? `max-age=${cacheControl.replace(/[^\w=,\- ]/g, '')}` : 'no-cache',
      userMetadata: metadataFrom(fields.get('metadata')),
    };
  } catch (error) {
    for (const { stored } of files) {
      const received = await stored.catch(() => null);
      if (received) await scratch.discard(received.path);
    }
    for (const reason of [refusal, error]) if (isOurs(reason)) throw reason;
    throw errors.invalidRequest('The multipart body is malformed or incomplete');
  }
}

/** Refusals, and failures of our disk; everything else that ends a form is the form's own fault. */
const isOurs = (reason: unknown) =>
  reason instanceof StorageError ||
  reason instanceof OverLimit ||
  /^(ENOSPC|EIO|EACCES|EROFS|EMFILE|ENFILE|EDQUOT)$/.test((reason as NodeJS.ErrnoException | null)?.code ?? '');

function parser(c: Request): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': c.req.header('content-type')! },
      isPartAFile: (_name, type, filename) => filename !== undefined || type === 'application/octet-stream',
      limits: { files: 2, fields: 8, parts: 10, fieldSize: 16 * 1024, fieldNameSize: 100, headerPairs: 20 },
    });
  } catch {
    throw errors.invalidRequest('The multipart body has no boundary');
  }
}

/** Metadata of the sender's own, from JSON text. @throws InvalidParameter when it is no small object */
export function metadataFrom(text: string | null | undefined): Record<string, unknown> | null {
  if (!text) return null;
  const wrong = errors.invalidParameter(`metadata must be a JSON object of at most ${USER_METADATA} bytes`);
  if (text.length > USER_METADATA || jsonDepth(text) > USER_METADATA_DEPTH || text.includes('\\u0000')) throw wrong;
  try {
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    throw wrong;
  }
  throw wrong;
}

/** The same from the header `x-metadata`, where it is base64. */
export function metadataOfHeader(c: Request): Record<string, unknown> | null {
  const text = c.req.header('x-metadata');
  return metadataFrom(text && Buffer.from(text, 'base64').toString('utf8'));
}

/** A declared type without its parameters; null when it says nothing about the content. */
export function mimeType(text: string | null | undefined): string | null {
  const type = bareType(text);
  if (type === 'image/jpg') return 'image/jpeg';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream' ? type : null;
}

const PARAMETERS = /^(\s*;\s*[\w.+-]+=([\w.+:-]+|"[\w .+:/-]*"))+\s*$/;
const MOST_PARAMETERS = 200;

/** A declared type with its parameters as they were sent; without them when they are damaged. */
export function withParameters(text: string | null | undefined): string | null {
  const type = mimeType(text);
  const parameters = text?.includes(';') ? text.slice(text.indexOf(';')) : '';
  return type && parameters.length <= MOST_PARAMETERS && PARAMETERS.test(parameters)
    ? type + parameters.trimEnd()
    : type;
}

/** The body of a request, read once; who stops listening does not cut the sender off. */
class Body {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  constructor(stream: ReadableStream<Uint8Array> | null) {
    this.#reader = stream?.getReader() ?? null;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let next = await this.#next(); next; next = await this.#next()) yield next;
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#reader?.read())?.value;
    } catch {
      throw errors.invalidRequest('The body ended before it was complete');
    }
  }

  /** Reads the rest and throws it away, up to a point. */
  async drain(): Promise<void> {
    const until = Date.now() + DRAIN_MS;
    let size = 0;
    try {
      for await (const chunk of this.chunks()) {
        size += chunk.byteLength;
        if (size > MOST_DRAINED || Date.now() > until) break;
      }
      await this.#reader?.cancel();
    } catch {
      // The sender went away; there is nobody left to answer.
    }
  }
}
