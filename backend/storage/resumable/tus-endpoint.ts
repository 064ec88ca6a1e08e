import { ERRORS, Server } from '@tus/server';
import { limits } from '../../../config.ts';
import { anonymous, type Caller } from '../../http/caller.ts';
import type { StorageContext, Request as StorageRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { bucketName, objectKey } from '../objects/names.ts';
import { metadataFrom, mimeType, withParameters } from '../objects/receive.ts';
import { bucketOf } from '../objects/rows.ts';
import { signerOf } from '../objects/sign.ts';
import { keep, limitOf, mayWrite, mimeAllowed, record, roomFor } from '../objects/upload.ts';
import { asStorageError } from '../respond-with-error.ts';
import { as, caller } from '../run-for-request.ts';
import { tokenFor } from '../tokens.ts';
import { ownerOf } from '../upload-allowances.ts';
import { type Agreed, type Unfinished, uploadId } from './pending-upload.ts';
import type { UploadLocks } from './upload-locks.ts';
import type { ResumableUploads } from './upload-store.ts';

const PATH = '/storage/v1/upload/resumable';

/** TUS 1.0.0. The library implements the protocol; permissions follow the same rules as a plain upload. */
export class Resumable {
  readonly #unfinished: ResumableUploads;
  readonly #server: Server;
  readonly #contexts = new WeakMap<object, StorageRequest>();
  /** Retry-After in seconds per request; the library cannot set headers on errors. */
  readonly #retryAfter = new WeakMap<object, number>();

  constructor(
    house: Pick<StorageContext, 'publicBase' | 'fileSizeLimit' | 'log'>,
    unfinished: ResumableUploads,
    locks: UploadLocks,
  ) {
    this.#unfinished = unfinished;
    const contextOf = (request: object) => this.#contexts.get(request)!;
    this.#server = new Server({
      path: PATH,
      datastore: unfinished,
      locker: locks,
      maxSize: async (_request, id) => (id && (await unfinished.find(id))?.limit) || house.fileSizeLimit,
      namingFunction: (request, metadata) => this.#agree(contextOf(request), metadata ?? {}),
      generateUrl: (request, { id }) =>
        `${house.publicBase}/upload/resumable${isSigned(contextOf(request)) ? '/sign' : ''}/${id}`,
      onIncomingRequest: (request, id) => this.#authorise(contextOf(request), id),
      onUploadFinish: async (request, { id }) => {
        await locks.whileJudging(id, async () => {
          const upload = await unfinished.find(id);
          if (upload && !upload.done) await this.#finish(contextOf(request), upload);
        });
        return { headers: { 'Tus-Complete': '1' } };
      },
      onResponseError: (request, failure) => {
        if ('status_code' in failure) return undefined;
        const error = asStorageError(failure);
        if (error.retryAfter !== null) this.#retryAfter.set(contextOf(request).req.raw, error.retryAfter);
        if (error.statusCode === 500)
          house.log.error({ err: failure, request: contextOf(request).env.id }, 'resumable upload failed');
        return { status_code: error.statusCode, body: error.message };
      },
    });
  }

  /** Unlike elsewhere in this service, statuses are the real ones and bodies are plain messages. */
  async handle(c: StorageRequest): Promise<Response> {
    this.#contexts.set(c.req.raw, c);
    const answer = await this.#server.handleWeb(c.req.raw);
    const seconds = this.#retryAfter.get(c.req.raw);
    if (seconds !== undefined) answer.headers.set('retry-after', String(seconds));
    return answer;
  }

  expire(): Promise<number> {
    return this.#unfinished.deleteExpired();
  }

  async #agree(c: StorageRequest, metadata: Record<string, string | null>): Promise<string> {
    const { house } = c.var;
    const bucketId = bucketName(metadata['bucketName'] ?? '');
    const key = objectKey(metadata['objectName'] ?? '');
    const { who, upsert } = await this.#starter(c, bucketId, key);
    const bucket = await bucketOf(house.db, bucketId);
    const limit = limitOf(house, bucket);
    const length = c.req.header('upload-length');
    const size = length === undefined ? undefined : Number(length);
    if (size !== undefined && size > limit) throw ERRORS.ERR_MAX_SIZE_EXCEEDED;
    mimeAllowed(bucket, mimeType(metadata['contentType']));
    metadataFrom(metadata['metadata']);
    const meeting = upsert ? 'upsert' : 'create';
    await mayWrite(c, who, bucketId, key, meeting);
    // The holder of a signed URL is not its signer, so the client's address counts.
    const owner = isSigned(c) ? c.env.address : ownerOf(who, c.env.address);
    await this.#unfinished.deleteExpired();
    if (owner !== null) {
      await this.#unfinished.replaceEarlier(bucketId, key, owner);
      const most = limits.openUploads.value * house.allowances.guestsBehind(owner);
      if ((await this.#unfinished.standing(owner)).open >= most) throw errors.tooManyOpenUploads(most);
    }
    const taken = await house.allowances.take(owner, size ?? limit);
    try {
      await roomFor(house, owner);
      const agreed: Agreed = {
        token: crypto.randomUUID(),
        bucket: bucketId,
        key,
        role: who.role,
        userId: who.userId,
        owner,
        taken,
        meeting,
        limit,
        ...(size === undefined ? {} : { size }),
        metadata,
      };
      await this.#unfinished.agree(agreed);
      return uploadId(agreed);
    } catch (error) {
      await house.allowances.giveBack(taken, false);
      throw error;
    }
  }

  async #starter(c: StorageRequest, bucket: string, key: string): Promise<{ who: Caller; upsert: boolean }> {
    if (!isSigned(c)) return { who: await caller(c), upsert: c.req.header('x-upsert') === 'true' };
    const token = await signature(c, bucket, key);
    return { who: signerOf(token), upsert: token.upsert === true };
  }

  /** Only the creator may continue an upload; a guest's upload belongs to the holder of its URL. */
  async #authorise(c: StorageRequest, id: string): Promise<void> {
    const agreed = await this.#unfinished.find(id);
    if (!agreed) throw errors.noSuchUpload();
    await this.#owner(c, agreed);
  }

  async #owner(c: StorageRequest, agreed: Agreed): Promise<Caller> {
    const who = isSigned(c) ? signerOf(await signature(c, agreed.bucket, agreed.key)) : await caller(c);
    if (agreed.role === 'anon') return anonymous;
    if (who.role !== agreed.role || who.userId !== agreed.userId) throw errors.noSuchUpload();
    return who;
  }

  async #finish(c: StorageRequest, agreed: Unfinished): Promise<void> {
    const path = c.var.house.scratch.path();
    try {
      if (!(await this.#unfinished.isRecorded(agreed))) {
        await this.#unfinished.copy(agreed, path);
        await this.#keep(c, agreed, path);
      }
      await this.#unfinished.close(agreed);
      await c.var.house.allowances.correct(agreed.taken, agreed.came);
    } catch (error) {
      // A rejected file stays rejected; after a server fault the client may send the last byte again.
      if (asStorageError(error).statusCode < 500) await this.#unfinished.drop(agreed);
      throw error;
    } finally {
      await c.var.house.scratch.discard(path);
    }
  }

  async #keep(c: StorageRequest, agreed: Agreed, path: string): Promise<void> {
    const { house } = c.var;
    const { bucket, key, meeting, metadata } = agreed;
    const who = await this.#owner(c, agreed);
    const arrival = {
      path,
      contentType: withParameters(metadata['contentType']),
      cacheControl: metadata['cacheControl'] ? `max-age=${metadata['cacheControl']}` : 'no-cache',
      userMetadata: metadataFrom(metadata['metadata']),
    };
    await keep(house, agreed.owner, await bucketOf(house.db, bucket), key, arrival, async (object) => {
      await this.#unfinished.recording(agreed, object.version);
      return as(c, who, (tx) => record(tx, who, bucket, key, object, meeting));
    });
  }
}

const isSigned = (c: StorageRequest) => c.req.path.startsWith(`${PATH}/sign`);

async function signature(c: StorageRequest, bucket: string, key: string) {
  const header = c.req.header('x-signature');
  if (!header) throw errors.invalidUploadSignature();
  return tokenFor(c.var.house.keys, header, 'upload', `${bucket}/${key}`);
}
