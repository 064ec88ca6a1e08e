import { submissionWords as words } from '#features/submissions/words/submission.ts';
import { withRetry } from '#lib/data/retry.ts';

export const BUCKET = 'case-studies';
/** Bytes; larger files can be resumed: a phone may need longer for them than the server lets one request take. */
const RESUMABLE_ABOVE_BYTES = 1024 * 1024;
/** Bytes; the chunk size that hosted projects require. */
const PIECE = 6 * 1024 * 1024;
const RETRY_DELAYS_MS = [800, 2500, 6000];

export type UploadPlace = { url: string; key: string; token: () => Promise<string | null> };

export type UploadTarget = { path: string; contentType: string; bucket?: string; cacheSeconds?: number };

export type PictureFormat = { extension: string; contentType: string };

/** Abort reason that cancels an upload permanently and removes its sent bytes. */
export const CANCELLED = Symbol('given up');

/** A failed upload. `final`: retrying would not help. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly final: boolean;
  /** There was no response: the connection failed. */
  readonly lost: boolean;
  /** The upload quota is used up until `resetsAt`. */
  readonly isTooMuch: boolean;
  constructor(message: string, final: boolean, { lost = false, isTooMuch = false } = {}) {
    super(message || words.uploadFailedSilently);
    this.final = final;
    this.lost = lost;
    this.isTooMuch = isTooMuch;
  }
}

export const firstBytes = async (file: Blob, count: number): Promise<string> =>
  String.fromCharCode(...new Uint8Array(await file.slice(0, count).arrayBuffer()));

/** The image format by the first bytes; null when it is not an accepted one. */
export async function pictureIn(file: Blob): Promise<PictureFormat | null> {
  const text = await firstBytes(file, 16);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return { extension: 'png', contentType: 'image/png' };
  if (text.startsWith('\xff\xd8\xff')) return { extension: 'jpg', contentType: 'image/jpeg' };
  if (/^GIF8[79]a/.test(text)) return { extension: 'gif', contentType: 'image/gif' };
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return { extension: 'webp', contentType: 'image/webp' };
  if (/^[\s\S]{4}ftypavi[fs]/.test(text)) return { extension: 'avif', contentType: 'image/avif' };
  return null;
}

export const pathFor = (id: string, { extension }: PictureFormat) => `images/${id}.${extension}`;

export const readableSize = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

type Sending = { onProgress: (fraction: number) => void; signal: AbortSignal };

type Send = (place: UploadPlace, file: Blob, target: Required<UploadTarget>, sending: Sending) => Promise<void>;

/** An existing object counts as uploaded. @param onProgress 0 to 1. @throws UploadError, or the signal's reason */
export async function uploadFile(place: UploadPlace, file: Blob, target: UploadTarget, sending: Sending) {
  const send = file.size > RESUMABLE_ABOVE_BYTES ? sendInPieces : sendAtOnce;
  const passes = (error: unknown) =>
    !(error instanceof UploadError && (error.final || error.isTooMuch)) && !isOffline(error);
  const attempt = () => send(place, file, { bucket: BUCKET, cacheSeconds: 3600, ...target }, sending);
  await withRetry(attempt, RETRY_DELAYS_MS, { failure: passes }, sending.signal);
}

/** Whether a retry has to wait until the browser is online. */
const isOffline = (error: unknown) => error instanceof UploadError && error.lost && !navigator.onLine;

const sendAtOnce: Send = async (place, file, { path, contentType, bucket, cacheSeconds }, { onProgress, signal }) => {
  const headers = await headersFor(place);
  signal.throwIfAborted();
  const form = new FormData();
  form.append('cacheControl', String(cacheSeconds));
  // The storage service finds the file by its empty field name, as its official client sends it.
  form.append('', new Blob([file], { type: contentType }), path.split('/').pop());
  await new Promise<void>((resolve, reject) => {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    request.open('POST', `${place.url}/storage/v1/object/${bucket}/${path}`);
    for (const [name, value] of Object.entries({ ...headers, 'x-upsert': 'false' }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onProgress(loaded / total);
    request.onload = () => {
      const problem = problemIn(request.status, request.responseText, request.getResponseHeader('retry-after'));
      if (problem) reject(problem);
      else resolve();
    };
    request.onerror = () => reject(new UploadError(words.connectionLost, false, { lost: true }));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', cancel);
    signal.addEventListener('abort', cancel);
    request.send(form);
  });
};

const sendInPieces: Send = async (place, file, { path, contentType, bucket, cacheSeconds }, { onProgress, signal }) => {
  const { Upload, DetailedError } = await import('tus-js-client');
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${place.url}/storage/v1/upload/resumable`,
      headers: { 'x-upsert': 'false' },
      // A long upload outlives its first token.
      onBeforeRequest: async (request) => {
        for (const [name, value] of Object.entries(await headersFor(place))) request.setHeader(name, value);
      },
      chunkSize: PIECE,
      retryDelays: [0, 1000, 3000],
      removeFingerprintOnSuccess: true,
      // The path is random and stored in the browser, so the upload is found again after a reload or a crash.
      fingerprint: async () => `madhouse-${path}`,
      metadata: { bucketName: bucket, objectName: path, contentType, cacheControl: String(cacheSeconds) },
      onProgress: (sent, total) => onProgress(total ? sent / total : 0),
      onSuccess: () => resolve(),
      onError: (error) => {
        const answer = error instanceof DetailedError ? error.originalResponse : null;
        const problem = answer
          ? problemIn(answer.getStatus(), answer.getBody(), answer.getHeader('retry-after'))
          : new UploadError(words.connectionLost, false, { lost: true });
        if (problem) reject(problem);
        else resolve();
      },
    });
    signal.addEventListener('abort', () => {
      void upload.abort(signal.reason === CANCELLED).catch(() => {});
      reject(signal.reason);
    });
    upload
      .findPreviousUploads()
      .then(([previous]) => {
        if (signal.aborted) return;
        if (previous) upload.resumeFromPreviousUpload(previous);
        upload.start();
      })
      .catch(reject);
  });
};

export async function headersFor({ key, token }: UploadPlace): Promise<Record<string, string>> {
  const bearer = (await token()) ?? (key.startsWith('sb_') ? null : key);
  return { apikey: key, ...(bearer && { authorization: `Bearer ${bearer}` }) };
}

function problemIn(status: number, body: string, retryAfter: string | null | undefined): UploadError | null {
  if (status >= 200 && status < 300) return null;
  const { statusCode, message } = parsed(body);
  // The service answers 400 for nearly everything; the real status is in the body.
  const realStatus = Number(statusCode) || status;
  if (realStatus === 409) return null;
  const final = realStatus >= 400 && realStatus < 500 && ![401, 408, 423, 425, 429].includes(realStatus);
  const isTooMuch = realStatus === 429 && Number(retryAfter) * 1000 > RETRY_DELAYS_MS.at(-1)!;
  return new UploadError(message ?? '', final, { isTooMuch });
}

function parsed(body: string): { statusCode?: string; message?: string } {
  try {
    return JSON.parse(body) as { statusCode?: string; message?: string };
  } catch {
    return body && body.length < 200 && !body.includes('<') ? { message: body } : {};
  }
}

export function queueOf(atOnce: number) {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
