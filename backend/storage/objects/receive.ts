import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { bareType } from '../../http/content-type.ts';
import { jsonDepth } from '../../http/limits.ts';
import type { Request } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { OverLimit, type Received } from '../temp-files.ts';

export interface Arrival extends Received {
  declared: string | null;
  contentType: string | null;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

const MULTIPART_EXTRA = 64 * 1024;
/** Bytes of an oversized body to discard: browsers ignore a response before they have sent everything. */
const MOST_DRAINED = 64 * 1024 * 1024;
const DRAIN_MS = 20_000;
const USER_METADATA = 8 * 1024;
const USER_METADATA_DEPTH = 8;

const isMultipart = (c: Request) => /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '');

/** Lower bound of the file's size from Content-Length; null without one. */
export function announcedSize(c: Request): number | null {
  const length = c.req.header('content-length');
  if (length === undefined) return null;
  return isMultipart(c) ? Math.max(0, Number(length) - MULTIPART_EXTRA) : Number(length);
}

/**
 * Receives a raw or multipart body into a temporary file. @throws EntityTooLarge; InvalidRequest for a malformed body
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
  // Fields may follow the file, so decide only after the last part.
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

/** Client errors and disk failures are ours; any other reason is a malformed form. */
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

/** Custom metadata from JSON text. @throws InvalidParameter unless it is a small object */
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

export function metadataOfHeader(c: Request): Record<string, unknown> | null {
  const text = c.req.header('x-metadata');
  return metadataFrom(text && Buffer.from(text, 'base64').toString('utf8'));
}

export function mimeType(text: string | null | undefined): string | null {
  const type = bareType(text);
  if (type === 'image/jpg') return 'image/jpeg';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream' ? type : null;
}

const PARAMETERS = /^(\s*;\s*[\w.+-]+=([\w.+:-]+|"[\w .+:/-]*"))+\s*$/;
const MOST_PARAMETERS = 200;

export function withParameters(text: string | null | undefined): string | null {
  const type = mimeType(text);
  const parameters = text?.includes(';') ? text.slice(text.indexOf(';')) : '';
  return type && parameters.length <= MOST_PARAMETERS && PARAMETERS.test(parameters)
    ? type + parameters.trimEnd()
    : type;
}

/** The request body, read once; an early stop by the reader does not abort the sender. */
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
      // The client disconnected: no response is possible.
    }
  }
}
