import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { bareType, jsonDepth } from '../../http/limits.ts';
import type { Request } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { OverLimit, type TempFile } from '../temp-files.ts';

export interface ReceivedUpload extends TempFile {
  declaredType: string | null;
  contentType: string | null;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

const MULTIPART_OVERHEAD_BYTES = 64 * 1024;
/** Bytes of an oversized body to discard: browsers ignore a response before they have sent everything. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 20_000;
const MAX_USER_METADATA_LENGTH = 8 * 1024;
const MAX_USER_METADATA_DEPTH = 8;

const isMultipart = (c: Request) => /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '');

/** Lower bound of the file's size from Content-Length; null without one. */
export function minimumFileSize(c: Request): number | null {
  const length = c.req.header('content-length');
  if (length === undefined) return null;
  return isMultipart(c) ? Math.max(0, Number(length) - MULTIPART_OVERHEAD_BYTES) : Number(length);
}

/** Receives a raw or multipart body into a temporary file. @throws EntityTooLarge, InvalidRequest */
export async function receiveUpload(c: Request, limit: number, checkType: CheckType): Promise<ReceivedUpload> {
  const multipart = isMultipart(c);
  const bodySize = Number(c.req.header('content-length') ?? 0);
  const body = new BodyReader(c.req.raw.body);
  try {
    if (bodySize > limit + (multipart ? MULTIPART_OVERHEAD_BYTES : 0)) throw errors.entityTooLarge();
    return multipart ? await receiveForm(c, body, limit, checkType) : await receiveRaw(c, body, limit, checkType);
  } catch (error) {
    await body.drain();
    if (error instanceof OverLimit) throw errors.entityTooLarge();
    throw error;
  }
}

type CheckType = (declaredType: string | null) => void;
type Receive = (c: Request, body: BodyReader, limit: number, checkType: CheckType) => Promise<ReceivedUpload>;

const receiveRaw: Receive = async (c, body, limit, checkType) => {
  const type = c.req.header('content-type');
  const declaredType = parseMimeType(type);
  checkType(declaredType);
  const userMetadata = readMetadataHeader(c);
  const { path, size } = await c.var.storage.tempFiles.receive(body.chunks(), limit);
  const cacheControl = c.req.header('cache-control') || 'no-cache';
  return { path, size, declaredType, contentType: parseMimeTypeWithParameters(type), cacheControl, userMetadata };
};

const receiveForm: Receive = async (c, body, limit, checkType) => {
  const { tempFiles } = c.var.storage;
  const form = createParser(c);
  const fields = new Map<string, string>();
  const files: { stored: Promise<TempFile>; declaredType: string | null }[] = [];
  let failure: unknown = null;
  // Fields may follow the file, so decide only after the last part.
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (_name, stream, _filename, _encoding, fieldType) => {
    const declaredType = parseMimeType(fieldType);
    try {
      if (files.length) throw errors.invalidRequest('One file at a time');
      checkType(declaredType);
    } catch (error) {
      failure ??= error;
      form.destroy(error as Error);
      return;
    }
    // A broken request closes the form, which does not tell its streams.
    form.once('close', () => stream.destroy());
    const stored = tempFiles.receive(stream, limit);
    stored.catch((error: unknown) => {
      failure ??= error;
      form.destroy(error as Error);
    });
    files.push({ stored, declaredType });
  });
  try {
    await pipeline(Readable.from(body.chunks()), form);
    const file = files[0];
    if (!file) throw errors.invalidRequest('The form contains no file');
    const { path, size } = await file.stored;
    const cacheControl = fields.get('cacheControl');
    const fieldType = fields.get('contentType');
    return {
      path,
      size,
      declaredType: parseMimeType(fieldType) ?? file.declaredType,
      contentType: parseMimeTypeWithParameters(fieldType) ?? file.declaredType,
      cacheControl: cacheControl ? `max-age=${cacheControl.replace(/[^\w=,\- ]/g, '')}` : 'no-cache',
      userMetadata: parseUserMetadata(fields.get('metadata')),
    };
  } catch (error) {
    for (const { stored } of files) {
      const received = await stored.catch(() => null);
      if (received) await tempFiles.discard(received.path);
    }
    for (const reason of [failure, error]) if (isKnownError(reason)) throw reason;
    throw errors.invalidRequest('The multipart body is malformed or incomplete');
  }
};

/** A client error or a disk failure; any other reason is a malformed form. */
const isKnownError = (reason: unknown) =>
  reason instanceof StorageError ||
  reason instanceof OverLimit ||
  /^(ENOSPC|EIO|EACCES|EROFS|EMFILE|ENFILE|EDQUOT)$/.test((reason as NodeJS.ErrnoException | null)?.code ?? '');

function createParser(c: Request): BusboyInstance {
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

/** @throws InvalidParameter unless it is a small JSON object */
export function parseUserMetadata(text: string | null | undefined): Record<string, unknown> | null {
  if (!text) return null;
  const invalid = errors.invalidParameter(
    `metadata must be a JSON object of at most ${MAX_USER_METADATA_LENGTH} bytes`,
  );
  if (text.length > MAX_USER_METADATA_LENGTH || jsonDepth(text) > MAX_USER_METADATA_DEPTH || text.includes('\\u0000'))
    throw invalid;
  try {
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw invalid;
}

export function readMetadataHeader(c: Request): Record<string, unknown> | null {
  const text = c.req.header('x-metadata');
  return parseUserMetadata(text && Buffer.from(text, 'base64').toString('utf8'));
}

export function parseMimeType(text: string | null | undefined): string | null {
  const type = bareType(text);
  if (type === 'image/jpg') return 'image/jpeg';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream' ? type : null;
}

const PARAMETERS = /^(\s*;\s*[\w.+-]+=([\w.+:-]+|"[\w .+:/-]*"))+\s*$/;
const MAX_PARAMETERS_LENGTH = 200;

export function parseMimeTypeWithParameters(text: string | null | undefined): string | null {
  const type = parseMimeType(text);
  const parameters = text?.includes(';') ? text.slice(text.indexOf(';')) : '';
  return type && parameters.length <= MAX_PARAMETERS_LENGTH && PARAMETERS.test(parameters)
    ? type + parameters.trimEnd()
    : type;
}

/** The request body, read once; an early stop by the reader does not abort the sender. */
class BodyReader {
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
    const deadline = Date.now() + DRAIN_MS;
    let size = 0;
    try {
      for await (const chunk of this.chunks()) {
        size += chunk.byteLength;
        if (size > MAX_DRAINED_BYTES || Date.now() > deadline) break;
      }
      await this.#reader?.cancel();
    } catch {
      // The client disconnected: no response is possible.
    }
  }
}
