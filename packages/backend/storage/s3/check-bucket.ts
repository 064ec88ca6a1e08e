import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readText, type S3Call, type S3Client, S3RequestRejected, xmlValues } from './s3-client.ts';

export const MARKER = 'madhouse.json';

const TEST_TEXT = 'Written at start to test the bucket.\n';

type CheckStep = { name: string; call: S3Call; verify(response: IncomingMessage | null): unknown };

/** Tests every operation and marks the bucket as this installation’s. @throws S3RequestRejected, StoreUnavailable */
export async function checkBucket(client: S3Client, installation: string): Promise<void> {
  const { bucket, prefix, url } = client.bucket;
  const marker = await runStep(client, {
    name: 'read an object',
    call: { method: 'GET', key: MARKER },
    verify: (response) => response && readText(response),
  });
  if (marker && (JSON.parse(marker as string) as { installation?: string }).installation !== installation)
    throw new S3RequestRejected(
      0,
      `The bucket "${bucket}" of ${url} belongs to another installation${prefix && ` below ${prefix}`}. Name another S3_BUCKET or S3_PREFIX.`,
    );
  for (const step of steps(bucket, prefix)) await runStep(client, step);
  const body = Buffer.from(`${JSON.stringify({ installation })}\n`);
  if (!marker)
    await runStep(client, { name: 'write an object', call: { method: 'PUT', key: MARKER, body }, verify: requireText });
}

function steps(bucket: string, prefix: string): CheckStep[] {
  const key = `check/${randomUUID()}`;
  const copy = `${key}-copy`;
  const missing = `${key}-missing`;
  const body = Buffer.from(TEST_TEXT);
  const removal = Buffer.from(`<Delete><Quiet>true</Quiet><Object><Key>${prefix}${copy}</Key></Object></Delete>`);
  const removalHeaders = { 'content-md5': hash('md5', removal, 'base64'), 'content-type': 'application/xml' };
  const list = { 'list-type': '2', prefix: prefix + key, delimiter: '/' };
  const writing: S3Call = { method: 'PUT', key, body, headers: { 'content-md5': hash('md5', body, 'base64') } };
  const copying: S3Call = { method: 'PUT', key: copy, headers: { 'x-amz-copy-source': `/${bucket}/${prefix}${key}` } };
  const removing: S3Call = { method: 'POST', query: { delete: '' }, body: removal, headers: removalHeaders };
  const step = (name: string, call: S3Call, verify: CheckStep['verify']) => ({ name, call, verify });
  const range = { range: 'bytes=8-9' };
  return [
    step('write an object', writing, requireText),
    step('read the size of an object', { method: 'HEAD', key }, hasLength(body.length)),
    step('read an object', { method: 'GET', key }, hasText(TEST_TEXT)),
    step('read a part of an object', { method: 'GET', key, headers: range }, hasText(TEST_TEXT.slice(8, 10))),
    step('detect a missing object (needs the right to list)', { method: 'GET', key: missing }, (response) =>
      requireThat(response === null, 'an object was returned'),
    ),
    step('copy an object', copying, requireText),
    step('list objects', { method: 'GET', query: list }, async (response) => {
      const keys = xmlValues(await requireText(response), 'Key');
      requireThat(keys.includes(prefix + key) && keys.includes(prefix + copy), 'some objects were not listed');
    }),
    step('remove several objects at once', removing, async (response) => {
      const [code] = xmlValues(await requireText(response), 'Code');
      requireThat(code === undefined, code ?? '');
    }),
    step('remove an object', { method: 'DELETE', key }, requireText),
    step('remove several objects at once', { method: 'GET', key: copy }, (response) =>
      requireThat(response === null, 'an object was not removed'),
    ),
  ];
}

async function runStep(client: S3Client, { name, call, verify }: CheckStep): Promise<unknown> {
  const { bucket, url } = client.bucket;
  return client.requestOnce(call, verify).catch((error: unknown) => {
    if (!(error instanceof S3RequestRejected)) throw error;
    throw new S3RequestRejected(
      error.status,
      `The bucket "${bucket}" of ${url} cannot be used: failed to ${name}: ${error.reason}. Check the S3_ settings and the key’s permissions.`,
    );
  });
}

const requireText = async (response: IncomingMessage | null): Promise<string> => {
  requireThat(response !== null, 'the object is missing');
  return readText(response!);
};

const hasText = (text: string) => async (response: IncomingMessage | null) => {
  hasLength(text.length)(response);
  requireThat((await requireText(response)) === text, 'the content differs');
};

const hasLength = (length: number) => (response: IncomingMessage | null) => {
  requireThat(response !== null, 'the object is missing');
  requireThat(Number(response!.headers['content-length']) === length, 'a different length was returned');
};

function requireThat(condition: boolean, problem: string): void {
  if (!condition) throw new S3RequestRejected(0, problem);
}
