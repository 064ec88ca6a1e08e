import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type S3Call, type S3Client, S3Refusal, textOf, valuesIn } from './s3-client.ts';

export const MARKER = 'madhouse.json';

const WORDS = 'Written at start to test the bucket.\n';

interface Step {
  what: string;
  call: S3Call;
  judge(answer: IncomingMessage | null): unknown;
}

/**
 * Tests every operation and writes a marker that identifies the installation.
 * @throws S3Refusal naming what fails, StoreAway when the server is unreachable
 */
export async function tryBucket(client: S3Client, installation: string): Promise<void> {
  const { bucket, prefix, url } = client.bucket;
  const marked = await attempt(client, {
    what: 'read an object',
    call: { method: 'GET', key: MARKER },
    judge: (answer) => answer && textOf(answer),
  });
  if (marked && (JSON.parse(marked as string) as { installation?: string }).installation !== installation)
    throw new S3Refusal(
      0,
      `The bucket "${bucket}" of ${url} belongs to another installation${prefix && ` below ${prefix}`}. Name another S3_BUCKET or S3_PREFIX.`,
    );
  for (const step of steps(bucket, prefix)) await attempt(client, step);
  const body = Buffer.from(`${JSON.stringify({ installation })}\n`);
  if (!marked)
    await attempt(client, { what: 'write an object', call: { method: 'PUT', key: MARKER, body }, judge: read });
}

function steps(bucket: string, prefix: string): Step[] {
  const key = `check/${randomUUID()}`;
  const copy = `${key}-copy`;
  const missing = `${key}-missing`;
  const body = Buffer.from(WORDS);
  const removal = Buffer.from(`<Delete><Quiet>true</Quiet><Object><Key>${prefix}${copy}</Key></Object></Delete>`);
  const list = { 'list-type': '2', prefix: prefix + key, delimiter: '/' };
  return [
    { what: 'write an object', call: { method: 'PUT', key, body, headers: { 'content-md5': md5(body) } }, judge: read },
    { what: 'read the size of an object', call: { method: 'HEAD', key }, judge: isLong(body.length) },
    { what: 'read an object', call: { method: 'GET', key }, judge: says(WORDS) },
    {
      what: 'read a part of an object',
      call: { method: 'GET', key, headers: { range: 'bytes=8-9' } },
      judge: says(WORDS.slice(8, 10)),
    },
    {
      what: 'detect a missing object (needs the right to list)',
      call: { method: 'GET', key: missing },
      judge: (answer) => must(answer === null, 'it found one'),
    },
    {
      what: 'copy an object',
      call: { method: 'PUT', key: copy, headers: { 'x-amz-copy-source': `/${bucket}/${prefix}${key}` } },
      judge: read,
    },
    {
      what: 'list objects',
      call: { method: 'GET', query: list },
      judge: async (answer) => {
        const keys = valuesIn(await read(answer), 'Key');
        must(keys.includes(prefix + key) && keys.includes(prefix + copy), 'some were not in the list');
      },
    },
    {
      what: 'remove several objects at once',
      call: {
        method: 'POST',
        query: { delete: '' },
        body: removal,
        headers: { 'content-md5': md5(removal), 'content-type': 'application/xml' },
      },
      judge: async (answer) => {
        const [code] = valuesIn(await read(answer), 'Code');
        must(code === undefined, code ?? '');
      },
    },
    { what: 'remove an object', call: { method: 'DELETE', key }, judge: read },
    {
      what: 'remove several objects at once',
      call: { method: 'GET', key: copy },
      judge: (answer) => must(answer === null, 'one was still there'),
    },
  ];
}

async function attempt(client: S3Client, { what, call, judge }: Step): Promise<unknown> {
  const { bucket, url } = client.bucket;
  return client.askOnce(call, judge).catch((error: unknown) => {
    if (!(error instanceof S3Refusal)) throw error;
    throw new S3Refusal(
      error.status,
      `The bucket "${bucket}" of ${url} cannot be used: failed to ${what}: ${error.reason}. Check the S3_ settings and the key’s permissions.`,
    );
  });
}

const read = async (answer: IncomingMessage | null): Promise<string> => {
  must(answer !== null, 'it is not there');
  return textOf(answer!);
};

const says = (text: string) => async (answer: IncomingMessage | null) => {
  isLong(text.length)(answer);
  must((await read(answer)) === text, 'something else came');
};

const isLong = (length: number) => (answer: IncomingMessage | null) => {
  must(answer !== null, 'it is not there');
  must(Number(answer!.headers['content-length']) === length, 'a different length was returned');
};

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new S3Refusal(0, otherwise);
}

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64');
