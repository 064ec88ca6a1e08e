import { megabytes, NO_ROOM, NO_ROOM_RETRY_SECONDS } from '../data-dir/disk-space.ts';
import type { RemainingAllowance } from './upload-allowances.ts';

/** In the storage API's shape. Most are HTTP 400 with the real status inside, as the official client expects. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly statusCode: number;
  readonly error: string;
  readonly code: string;
  readonly retryAfter: number | null;
  constructor(
    statusCode: number,
    code: string,
    message: string,
    { error = code, retryAfter = null }: { error?: string; retryAfter?: number | null } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.error = error;
    this.retryAfter = retryAfter;
  }

  /** 400 for client errors; exceeded limits and server errors have their real status. */
  get httpStatus(): 400 | 429 | 500 | 503 | 507 {
    const unmapped = [429, 500, 503, 507] as const;
    return unmapped.find((status) => status === this.statusCode) ?? 400;
  }

  get body() {
    return { statusCode: String(this.statusCode), error: this.error, message: this.message, code: this.code };
  }
}

const overLimit = (retryAfter: number, message: string) =>
  new StorageError(429, 'SlowDown', message, { error: 'too_many_connections', retryAfter });

const overloaded = (retryAfter: number, message: string, code = 'SlowDown') =>
  new StorageError(503, code, message, { retryAfter });

export const errors = {
  noSuchBucket: () => new StorageError(404, 'NoSuchBucket', 'Bucket not found', { error: 'Bucket not found' }),
  noSuchKey: () => new StorageError(404, 'NoSuchKey', 'Object not found', { error: 'not_found' }),
  noSuchUpload: () => new StorageError(404, 'NoSuchUpload', 'Upload not found'),
  alreadyExists: (what: 'Key' | 'Bucket') =>
    new StorageError(409, `${what}AlreadyExists`, 'The resource already exists', { error: 'Duplicate' }),
  bucketNotEmpty: () => new StorageError(409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty'),
  accessDenied: (reason = 'new row violates row-level security policy') =>
    new StorageError(403, 'AccessDenied', reason, { error: 'Unauthorized' }),
  missingAuthorization: () => new StorageError(400, 'Error', "headers must have required property 'authorization'"),
  invalidJwt: (reason: string) => new StorageError(400, 'InvalidJWT', reason),
  invalidSignature: (reason = 'Invalid signature') => new StorageError(400, 'InvalidSignature', reason),
  invalidUploadSignature: () => new StorageError(400, 'InvalidUploadSignature', 'Invalid upload Signature'),
  expiredToken: () => new StorageError(400, 'ExpiredToken', 'The provided token has expired.'),
  invalidMimeType: (type: string) =>
    new StorageError(415, 'InvalidMimeType', `mime type ${type} is not supported`, { error: 'invalid_mime_type' }),
  invalidFile: (reason: string) => new StorageError(422, 'InvalidRequest', reason, { error: 'InvalidRequest' }),
  tooManyFrames: (frames: number, limit: number) =>
    errors.invalidFile(`The animation has ${frames} frames; the limit is ${limit}.`),
  entityTooLarge: (message = 'The object exceeded the maximum allowed size') =>
    new StorageError(413, 'EntityTooLarge', message, { error: 'Payload too large' }),
  invalidKey: (key: string) => new StorageError(400, 'InvalidKey', `Invalid key: ${printable(key)}`),
  invalidBucketName: () =>
    new StorageError(400, 'InvalidBucketName', 'Bucket name invalid', { error: 'Invalid Input' }),
  invalidRange: () => new StorageError(400, 'InvalidRange', 'invalid range provided', { error: 'invalid_range' }),
  invalidSourceImage: () => errors.invalidRequest('The source image is invalid or unsupported for rendering'),
  sourceTooLarge: (property: 'file' | 'resolution') =>
    errors.invalidRequest(`The source image ${property} is too large to process`),
  invalidRequest: (reason: string) => new StorageError(400, 'InvalidRequest', reason),
  invalidParameter: (reason: string) => new StorageError(400, 'InvalidParameter', reason),
  noSuchRoute: (method: string, path: string) =>
    new StorageError(404, 'NotFound', `Route ${method}:${printable(path)} not found`, { error: 'Not Found' }),
  allowanceExceeded: ({ files, bytes, seconds }: RemainingAllowance) =>
    overLimit(
      Math.max(1, seconds),
      `The upload limit of ${files.limit} files and ${megabytes(bytes.limit)} is reached; it is lifted in ${seconds} s.`,
    ),
  databaseTimeExceeded: (seconds: number) => overLimit(seconds, 'Database time limit of this address reached'),
  tooManyVariants: (seconds: number) =>
    overLimit(seconds, `Too many new image sizes requested; try again in ${seconds} s.`),
  tooManyUnusedBytes: (limit: number) =>
    overLimit(
      3600,
      `${megabytes(limit)} of your uploads are not used anywhere yet; use or remove some, or try again tomorrow.`,
    ),
  tooManyOpenUploads: (limit: number) =>
    overLimit(60, `${limit} of your uploads are unfinished; finish or cancel one first.`),
  tooManyPieces: (limit: number) =>
    errors.entityTooLarge(`An upload may come in ${limit} pieces at most; send larger ones.`),
  busy: () => overloaded(5, 'The server is busy with other images; try again in a few seconds.'),
  unavailable: () => overloaded(2, 'The service is temporarily unavailable; try again.', 'DatabaseUnavailable'),
  storeUnavailable: () => overloaded(5, 'File storage is temporarily unavailable; try again.'),
  insufficientStorage: () =>
    new StorageError(507, 'InsufficientStorage', NO_ROOM, { retryAfter: NO_ROOM_RETRY_SECONDS }),
  internal: () => new StorageError(500, 'InternalError', 'Internal server error', { error: 'Internal' }),
};

const printable = (text: string) => text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?');
