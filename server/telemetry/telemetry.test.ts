import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/backend/config/config.ts';
import { currentRequest } from '../../packages/backend/http/current-request.ts';
import { storeCalls } from '../../packages/backend/storage/store.ts';
import { freePort } from '../../tests/free-port.ts';
import { startTelemetry } from './telemetry.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

it('propagates traceparent to the outgoing fetch and node:http requests of the same request only', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers['traceparent'] as string | undefined);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const callBoth = async () => {
    await fetch(url);
    const [response] = (await once(get(url, { headers: { 'x-signed': 'a' } }), 'response')) as [IncomingMessage];
    response.resume();
  };
  const telemetry = await startTelemetry(readConfig({ REQUEST_LOG: 'on' }), null);
  try {
    const request = { id: 'one', traceparent: TRACE, role: null };
    await currentRequest.run(request, callBoth);
    await currentRequest.run({ ...request, traceparent: null }, callBoth);
    await callBoth();
    expect(seen).toEqual([TRACE, TRACE, undefined, undefined, undefined, undefined]);
  } finally {
    await telemetry!.close();
    server.closeAllConnections();
    server.close();
  }
});

it('counts calls to the object store by operation and result', async () => {
  const METRICS = `127.0.0.1:${await freePort()}`;
  const telemetry = await startTelemetry(readConfig({ METRICS }), null);
  try {
    storeCalls.publish({ operation: 'get', result: 'ok', ms: 3 });
    storeCalls.publish({ operation: 'get', result: 'ok', ms: 30 });
    storeCalls.publish({ operation: 'put', result: 'away', ms: 5_000 });
    const text = await (await fetch(`http://${METRICS}/metrics`)).text();
    expect(text).toContain('madhouse_store_calls_total{operation="get",result="ok"} 2\n');
    expect(text).toContain('madhouse_store_calls_total{operation="put",result="away"} 1\n');
    expect(text).toContain('madhouse_store_call_seconds_bucket{le="0.005",operation="get"} 1\n');
  } finally {
    await telemetry!.close();
  }
});

it('is null and loads nothing unless enabled', async () => {
  expect(await startTelemetry(readConfig({}), null)).toBeNull();
});
