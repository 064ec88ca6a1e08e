import { Upload } from 'tus-js-client';
import { newPath, uploadMetadata } from './files.ts';
import { newAddress, type StorageServer } from './storage-server.ts';

export const BUCKET = 'case-studies';

export const tokenIn = (address: string) =>
  Buffer.from(address.split('/').at(-1)!, 'base64url').toString().split('/').at(-1)!;

export const tus = (
  address: string,
  method: string,
  headers: Record<string, string>,
  body?: Uint8Array | ReadableStream,
  fetchFrom = fetch,
) =>
  fetchFrom(address, {
    method,
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', ...headers },
    ...(body && { body: body instanceof ReadableStream ? body : new Uint8Array(body), duplex: 'half' }),
  } as RequestInit);

/** Resumable uploads by raw requests and with the official client. @param server a function, because it exists only while tests run */
export function tusClient(server: () => StorageServer) {
  const serviceHeaders = () => ({ authorization: `Bearer ${server().keys.secret}` });
  const guestHeaders = (address = newAddress()): Record<string, string> => ({
    authorization: `Bearer ${server().keys.publishable}`,
    'x-test-address': address,
  });

  function create(path: string, length: number, headers = guestHeaders(), more: Record<string, string> = {}) {
    const metadata = { bucketName: BUCKET, objectName: path, contentType: 'image/jpeg', cacheControl: '3600', ...more };
    const sent = { ...headers, 'upload-length': String(length), 'upload-metadata': uploadMetadata(metadata) };
    return tus(`${server().url}/upload/resumable`, 'POST', sent);
  }

  /** Creates the upload of a JPEG. */
  async function begin(length: number, headers?: Record<string, string>) {
    const path = newPath('jpg');
    return { path, address: (await create(path, length, headers)).headers.get('location')! };
  }

  const patch = (
    address: string,
    offset: number,
    body: Uint8Array | ReadableStream,
    headers = guestHeaders(),
    fetchFrom = fetch,
  ) => tus(address, 'PATCH', { ...headers, 'upload-offset': String(offset) }, body, fetchFrom);

  const shown = (path: string) => fetch(`${server().url}/object/public/${BUCKET}/${path}`);

  function send(options: ConstructorParameters<typeof Upload>[1], bytes: Buffer): Promise<Upload> {
    return new Promise((resolve, reject) => {
      const upload: Upload = new Upload(bytes, {
        endpoint: `${server().url}/upload/resumable`,
        headers: guestHeaders(),
        retryDelays: [0, 50, 100],
        ...options,
        onSuccess: () => resolve(upload),
        onError: reject,
      });
      upload.start();
    });
  }

  return { serviceHeaders, guestHeaders, create, begin, patch, shown, send };
}
