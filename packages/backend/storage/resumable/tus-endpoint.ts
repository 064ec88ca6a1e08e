import { ERRORS, Server } from '@tus/server';
import { anonymous, type Caller } from '../../http/caller.ts';
import type { StorageContext, Request as StorageRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { parseBucketName, parseObjectKey } from '../objects/names.ts';
import { parseMimeType, parseMimeTypeWithParameters, parseUserMetadata } from '../objects/receive.ts';
import { findBucket, writeRow } from '../objects/rows.ts';
import { signerOf } from '../objects/sign.ts';
import {
  maxObjectBytes,
  requireAllowedType,
  requireSpace,
  requireWriteAccess,
  storeObject,
} from '../objects/upload.ts';
import { toStorageError } from '../respond-with-error.ts';
import { authenticate, requireSession, runForRequest } from '../run-for-request.ts';
import { verifyToken } from '../tokens.ts';
import { allowanceOwner } from '../upload-allowances.ts';
import { type PendingUpload, UploadLocks, type UploadTerms, uploadId } from './upload-leases.ts';
import type { UploadStore } from './upload-store.ts';

const PATH = '/storage/v1/upload/resumable';

/** TUS 1.0.0. The library implements the protocol; permissions follow the same rules as a plain upload. */
export class TusEndpoint {
  readonly #uploads: UploadStore;
  readonly #server: Server;
  readonly #contexts = new WeakMap<object, StorageRequest>();
  /** Verified when the request began: a token may expire while its bytes arrive. */
  readonly #callers = new WeakMap<object, Caller>();
  /** Retry-After in seconds per request; the library cannot set headers on errors. */
  readonly #retryAfter = new WeakMap<object, number>();

  constructor(storage: StorageContext) {
    const { uploads } = storage;
    const locks = new UploadLocks(storage.leases);
    this.#uploads = uploads;
    const contextOf = (request: object) => this.#contexts.get(request)!;
    this.#server = new Server({
      path: PATH,
      datastore: uploads,
      locker: locks,
      maxSize: async (_request, id) => (id && (await uploads.find(id))?.limit) || storage.fileSizeLimit,
      namingFunction: (request, metadata) => this.#createUpload(contextOf(request), metadata ?? {}),
      generateUrl: (request, { id }) =>
        `${storage.publicBase}/upload/resumable${isSigned(contextOf(request)) ? '/sign' : ''}/${id}`,
      onIncomingRequest: async (request, id) => {
        const terms = await uploads.find(id);
        if (!terms) throw errors.noSuchUpload();
        this.#callers.set(request, await this.#requireCreator(contextOf(request), terms));
      },
      onUploadFinish: async (request, { id }) => {
        await locks.whileFinishing(id, async () => {
          const upload = await uploads.find(id);
          if (upload && !upload.done) await this.#finish(contextOf(request), upload);
        });
        return { headers: { 'Tus-Complete': '1' } };
      },
      onResponseError: (request, cause) => {
        if ('status_code' in cause) return undefined;
        const error = toStorageError(cause);
        if (error.retryAfter !== null) this.#retryAfter.set(contextOf(request).req.raw, error.retryAfter);
        if (error.statusCode === 500)
          storage.log.error({ err: cause, request: contextOf(request).env.id }, 'resumable upload failed');
        return { status_code: error.statusCode, body: error.message };
      },
    });
  }

  /** Unlike elsewhere in this service, statuses are the real ones and bodies are plain messages. */
  async handle(c: StorageRequest): Promise<Response> {
    this.#contexts.set(c.req.raw, c);
    const response = await this.#server.handleWeb(c.req.raw);
    const seconds = this.#retryAfter.get(c.req.raw);
    if (seconds !== undefined) response.headers.set('retry-after', String(seconds));
    return response;
  }

  async #createUpload(c: StorageRequest, metadata: Record<string, string | null>): Promise<string> {
    const { storage } = c.var;
    const bucketId = parseBucketName(metadata['bucketName'] ?? '');
    const key = parseObjectKey(metadata['objectName'] ?? '');
    const signed = isSigned(c) ? await verifySignature(c, { bucket: bucketId, key }) : null;
    const caller = signed ? await signerOf(c, signed) : await authenticate(c);
    const bucket = await findBucket(storage.db, bucketId);
    const maxBytes = maxObjectBytes(storage, bucket);
    const length = c.req.header('upload-length');
    const size = length === undefined ? undefined : Number(length);
    if (size !== undefined && size > maxBytes) throw ERRORS.ERR_MAX_SIZE_EXCEEDED;
    requireAllowedType(bucket, parseMimeType(metadata['contentType']));
    parseUserMetadata(metadata['metadata']);
    const mode = (signed ? signed.upsert : c.req.header('x-upsert') === 'true') ? 'upsert' : 'create';
    await requireWriteAccess(c, caller, bucketId, key, mode);
    // The holder of a signed URL is not its signer, so the client's address counts.
    const owner = signed ? c.env.address : allowanceOwner(caller, c.env.address);
    await this.#uploads.deleteExpired();
    if (owner !== null) await this.#uploads.discardEarlier(bucketId, key, owner);
    const charge = await storage.allowances.charge(owner, size ?? maxBytes);
    try {
      await requireSpace(storage, owner);
      const terms: UploadTerms = {
        token: crypto.randomUUID(),
        bucket: bucketId,
        key,
        role: caller.role,
        userId: caller.userId,
        owner,
        taken: charge,
        meeting: mode,
        limit: maxBytes,
        ...(size === undefined ? {} : { size }),
        metadata,
      };
      await this.#uploads.insert(terms);
      return uploadId(terms);
    } catch (error) {
      await storage.allowances.refund(charge, false);
      throw error;
    }
  }

  /** Only the creator may continue an upload; a guest's upload belongs to the holder of its URL. */
  async #requireCreator(c: StorageRequest, terms: UploadTerms): Promise<Caller> {
    const caller = isSigned(c) ? await signerOf(c, await verifySignature(c, terms)) : await authenticate(c);
    if (terms.role === 'anon') return anonymous;
    if (caller.role !== terms.role || caller.userId !== terms.userId) throw errors.noSuchUpload();
    if (!isSigned(c)) await requireSession(c, caller);
    return caller;
  }

  async #finish(c: StorageRequest, terms: PendingUpload): Promise<void> {
    const path = c.var.storage.tempFiles.path();
    try {
      if (!(await this.#uploads.isRecorded(terms))) {
        await this.#uploads.copyTo(terms, path);
        await this.#storeObject(c, terms, path);
      }
      await this.#uploads.close(terms);
      await c.var.storage.allowances.adjust(terms.taken, terms.receivedBytes);
    } catch (error) {
      // A rejected file stays rejected; after a server fault the client may send the last byte again.
      if (toStorageError(error).statusCode < 500) await this.#uploads.discard(terms);
      throw error;
    } finally {
      await c.var.storage.tempFiles.discard(path);
    }
  }

  async #storeObject(c: StorageRequest, terms: UploadTerms, path: string): Promise<void> {
    const { storage } = c.var;
    const { bucket, key, meeting: mode, metadata } = terms;
    const caller = this.#callers.get(c.req.raw) ?? (await this.#requireCreator(c, terms));
    const received = {
      path,
      contentType: parseMimeTypeWithParameters(metadata['contentType']),
      cacheControl: metadata['cacheControl'] ? `max-age=${metadata['cacheControl']}` : 'no-cache',
      userMetadata: parseUserMetadata(metadata['metadata']),
    };
    await storeObject(storage, terms.owner, await findBucket(storage.db, bucket), key, received, async (object) => {
      await this.#uploads.recordVersion(terms, object.version);
      return runForRequest(c, caller, (tx) => writeRow(tx, caller, bucket, key, object, mode));
    });
  }
}

const isSigned = (c: StorageRequest) => c.req.path.startsWith(`${PATH}/sign`);

async function verifySignature(c: StorageRequest, { bucket, key }: Pick<UploadTerms, 'bucket' | 'key'>) {
  const header = c.req.header('x-signature');
  if (!header) throw errors.invalidUploadSignature();
  return verifyToken(c.var.storage.keys, header, 'upload', `${bucket}/${key}`);
}
