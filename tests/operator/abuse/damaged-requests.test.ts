import { describe, expect, it } from 'vitest';
import { uploadMetadata } from '../../../packages/backend/tests/storage/files.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { randomNumbers } from '../../random-numbers.ts';
import { newAddress, startServerOnPostgres } from '../../server.ts';
import { clientOf } from '../client.ts';
import { openConnection, requestHeader } from './slow-sockets.ts';

const DAMAGED = 600;
const CONCURRENCY = 20;
const SEED = 20261122;

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' }));
const client = clientOf(server);

/** Response to raw request text. After an incomplete request the socket is half-closed. */
async function answerTo(text: string): Promise<string> {
  const line = await openConnection(server.base, text, { andEnd: !isWhole(text) });
  line.socket.end();
  return line.closed;
}

/** True when the request header is complete and the body has its announced length. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/^content-length: *(\d+)\r$/im.exec(text.slice(0, end + 1))?.[1] ?? 0);
  return end > 0 && text.length - end - 4 >= length;
}

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? Number.NaN);

/** Log lines that alert the operator: errors, and stack traces. */
const alarms = () => {
  const lines = server.output().split('\n');
  return lines.filter((line) => /"level":[56]0|^\s+at |Error:/.test(line));
};

describe('a malformed request', () => {
  it.each([
    ['a backslash in its path', 'GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a dot segment in its path', 'GET /rest/v1/%2e./about HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an invalid escape in its path', 'GET /case-studies/%ff HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: a]b\r\n\r\n'],
    ['an invalid host and an uncached URL', 'GET /case-studies?q=1 HTTP/1.1\r\nHost: a@b\r\n\r\n'],
    ['an invalid IP address as host', 'GET /case-studies?q=2 HTTP/1.1\r\nHost: 999.1.1.1\r\n\r\n'],
    ['no host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['no host in HTTP/1.1', 'GET / HTTP/1.1\r\n\r\n'],
    ['an invalid target URL', 'GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target without a path', 'GET ?a HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a chunk without a valid length', 'POST /contact HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n'],
  ])('with %s gets 400 without an error in the log (L1)', async (_what, text) => {
    const response = await answerTo(text);
    expect(statusOf(response), response).toBe(400);
    expect(alarms()).toEqual([]);
  });

  const CONTACT = 'POST /contact HTTP/1.1\r\nHost: a\r\n';
  it.each([
    ['two hosts', 400, 'GET /about HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
    ['two hosts at a probe', 400, 'GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'],
    ['a repeated Content-Length', 400, `${CONTACT}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
    ['two different Content-Lengths', 400, `${CONTACT}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'Content-Length and Transfer-Encoding',
      400,
      'POST /rest/v1/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['TRACE', 405, 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('with %s is rejected and its connection closed (L3, TM-43)', async (_what, status, text) => {
    await answerTo('GET /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    // The client does not close the connection.
    const response = await (await openConnection(server.base, text)).closed;
    expect(statusOf(response), response).toBe(status);
    expect(response.toLowerCase()).toContain('connection: close');
    expect(alarms()).toEqual([]);
  });

  it('accepts probes in HTTP/1.0 without a Host header', async () => {
    expect(statusOf(await answerTo('GET /health HTTP/1.0\r\n\r\n'))).toBe(200);
    expect(statusOf(await answerTo('GET /ready HTTP/1.0\r\n\r\n'))).toBe(200);
  });
});

describe('a client that disconnects during the request body', () => {
  const JSON_BODY = { 'content-type': 'application/json' };
  const LONG_BODY = { 'Content-Length': 900, Expect: '100-continue' };
  const IMAGE = 'POST /storage/v1/object/case-studies/images/5a1c4b7e-7d52-4d0c-9f7e-0d6d6a3b2c1';
  const objectName = 'images/5a1c4b7e-7d52-4d0c-9f7e-0d6d6a3b2c13.png';
  const RESUMABLE = {
    'content-type': 'application/offset+octet-stream',
    'tus-resumable': '1.0.0',
    'upload-length': '900',
    'upload-metadata': uploadMetadata({ bucketName: 'case-studies', objectName, contentType: 'image/png' }),
  };
  it.each([
    ['a function call', 'POST /rest/v1/rpc/is_admin', JSON_BODY],
    ['a write', 'POST /rest/v1/projects', JSON_BODY],
    ['a sign-in', 'POST /auth/v1/token?grant_type=password', JSON_BODY],
    ['a function', 'POST /functions/v1/check-health', JSON_BODY],
    ['a form submission', 'POST /contact', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a storage list', 'POST /storage/v1/object/list/case-studies', JSON_BODY],
    ['an upload', `${IMAGE}1.png`, { 'content-type': 'image/png' }],
    ['a multipart upload', `${IMAGE}2.png`, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a resumable upload', 'POST /storage/v1/upload/resumable', RESUMABLE],
  ])('causes no error in the log during %s (L1)', async (_what, line, headers) => {
    for (const apikey of [client.publishable, client.secret]) {
      const text = requestHeader(line, newAddress(), { ...headers, apikey, ...LONG_BODY });
      const sender = await openConnection(server.base, text);
      sender.socket.write('{"a":');
      // Waits until the server has read the bytes.
      await fetch(`${server.base}/ready`);
      sender.socket.resetAndDestroy();
      await sender.closed;
    }
    // The server logs earlier requests before it responds to these.
    for (let time = 0; time < 5; time++) expect((await fetch(`${server.base}/ready`)).status).toBe(200);
    expect(alarms()).toEqual([]);
  });

  it('a client that disconnects before the response causes no error in the log (L1)', async () => {
    for (const path of ['/case-studies?q=gone', '/rest/v1/projects', '/auth/v1/settings', '/storage/v1/bucket']) {
      const text = requestHeader(`GET ${path}`, newAddress()) + requestHeader('GET /health', newAddress());
      const line = await openConnection(server.base, text);
      line.socket.resetAndDestroy();
      await line.closed;
    }
    expect((await fetch(`${server.base}/ready`)).status).toBe(200);
    expect(alarms()).toEqual([]);
  });
});

it(`${DAMAGED} randomly malformed requests get no 5xx response and cause no error in the log (L1)`, async () => {
  const randomBelow = randomNumbers(SEED);
  const random = () => randomBelow(1_000_000) / 1_000_000;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const body = JSON.stringify({ title: 'Damaged', email: 'a@example.com', password: 'secret', p_id: 'x' });
  const requests = () => {
    const [method, path] = pick([
      ['GET', '/case-studies?q=a&page=2'],
      ['GET', '/case-studies/5a1c4b7e-7d52-4d0c-9f7e-0d6d6a3b2c11/x'],
      ['GET', '/rest/v1/projects?select=id,title&title=eq.a&order=title.desc&limit=3'],
      ['GET', '/storage/v1/object/public/case-studies/images/5a1c4b7e-7d52-4d0c-9f7e-0d6d6a3b2c11.png'],
      ['GET', '/storage/v1/render/image/public/case-studies/images/a.png?width=100&height=50'],
      ['GET', '/auth/v1/verify?token=abc&type=signup&redirect_to=http://a.example/'],
      ['POST', '/rest/v1/projects'],
      ['POST', '/rest/v1/rpc/save_case_study_metadata'],
      ['POST', '/auth/v1/token?grant_type=password'],
      ['POST', '/auth/v1/signup'],
      ['POST', '/functions/v1/admin-setup'],
      ['POST', '/storage/v1/object/list/case-studies'],
      ['POST', '/storage/v1/object/case-studies/images/5a1c4b7e-7d52-4d0c-9f7e-0d6d6a3b2c14.png'],
      ['POST', '/contact'],
      ['PATCH', '/rest/v1/projects?id=eq.1'],
      ['DELETE', '/rest/v1/projects?id=eq.1'],
    ] as const);
    const hasBody = method === 'POST' || method === 'PATCH';
    const headers = {
      apikey: client.publishable,
      accept: 'application/json',
      'content-type': pick(['application/json', 'multipart/form-data; boundary=x', 'image/png']),
      connection: 'close',
      ...(hasBody && { 'content-length': body.length }),
    };
    return requestHeader(`${method} ${path}`, newAddress(), headers) + (hasBody ? body : '');
  };
  const NASTY = [
    ...['\0', ' ', '\t', '\r', '\n', '\r\n', '\x7f', '\xff', '\ud83d', '9'.repeat(30)],
    ...String.raw`\ % %00 %ff : // .. " [ ] @ # ? { } , ( -1`.split(' '),
  ];
  const damage = (text: string): string => {
    let damaged = text;
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
      const at = Math.floor(random() * damaged.length);
      const removed = Math.floor(random() * random() * 20);
      damaged = damaged.slice(0, at) + (random() < 0.8 ? pick(NASTY) : '') + damaged.slice(at + removed);
    }
    return random() < 0.1 ? damaged.slice(0, Math.floor(random() * damaged.length)) : damaged;
  };
  const texts = Array.from({ length: DAMAGED }, () => damage(requests()));
  const refused: string[] = [];
  let answered = 0;
  const sendRest = async () => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      const response = await answerTo(text);
      if (statusOf(response)) answered++;
      if (statusOf(response) >= 500) refused.push(`${JSON.stringify(text)}\n${response}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendRest));
  expect(refused).toEqual([]);
  expect(alarms()).toEqual([]);
  expect(answered, 'most of them were whole enough to be answered').toBeGreaterThan(DAMAGED / 2);
  expect((await fetch(`${server.base}/case-studies?q=afterwards`)).status).toBe(200);
});

it.each([
  '/auth/v1/settings',
  '/auth/v1/user',
  '/rest/v1/projects',
  '/rest/v1/none',
  '/storage/v1/bucket',
  '/storage/v1/none',
  '/functions/v1/check-health',
  '/functions/v1/none',
])('responses of %s have nosniff and cannot be displayed as a page (L4)', async (path) => {
  for (const headers of [{}, { apikey: client.publishable }, { apikey: client.secret }] as Record<string, string>[]) {
    const response = await fetch(server.base + path, { headers });
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  }
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
  const preflight = await fetch(server.base + path, { method: 'OPTIONS', headers });
  expect(preflight.headers.get('x-content-type-options')).toBe('nosniff');
});
