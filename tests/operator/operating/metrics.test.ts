import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { freePort } from '../../free-port.ts';
import { failedStart, newAddress, startServerOnPostgres } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';

type Labels = Record<string, string>;

async function figuresAt(address: string) {
  const response = await fetch(`http://${address}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, of]) => [key, of])) as Labels,
    value: Number(value),
  }));
  const those = (name: string, wanted: Labels = {}) =>
    series.filter((one) => one.name === name && Object.entries(wanted).every(([key, of]) => one.labels[key] === of));
  const sum = (name: string, wanted?: Labels) => those(name, wanted).reduce((total, { value }) => total + value, 0);
  return { text, series, those, sum };
}

describe('metrics of one process', () => {
  let at: string;
  const server = forAllTests(async () => {
    at = `127.0.0.1:${await freePort()}`;
    // No mail server uses this port.
    const SMTP_URL = `smtp://127.0.0.1:${await freePort()}`;
    return startServerOnPostgres({ SEED: 'none', METRICS: at, TRUST_PROXY: '1', SMTP_URL, LOG_LEVEL: 'silent' });
  });
  const request = async (path: string, call?: Call) => (await clientOf(server).send(path, call)).arrayBuffer();

  it('count requests by route pattern, method, status class and cache result', async () => {
    for (let time = 0; time < 5; time++) await request('/about');
    await request('/about', { method: 'HEAD' });
    const { sum } = await figuresAt(at);
    const about = { route: '/about', status: '2xx' };
    expect(sum('madhouse_requests_total', { ...about, method: 'GET', cached: 'no' })).toBe(1);
    expect(sum('madhouse_requests_total', { ...about, method: 'GET', cached: 'yes' })).toBe(4);
    expect(sum('madhouse_requests_total', { ...about, method: 'HEAD', cached: 'yes' })).toBe(1);
    expect(sum('madhouse_request_seconds_count', { route: '/about' })).toBe(6);
    expect(sum('madhouse_sent_bytes_total', { route: '/about' })).toBeGreaterThan(5_000);
  });

  it('have at most one series per route, and no client data', async () => {
    const name = () => randomUUID();
    const round = async () => {
      for (const path of [`/${name()}`, `/case-studies/${name()}`, `/rest/v1/${name()}`, `/rest/v1/rpc/${name()}`])
        await request(path);
      const files = [`/storage/v1/object/public/${name()}/${name()}`, `/storage/v1/${name()}`];
      for (const path of [`/auth/v1/${name()}/${name()}`, ...files]) await request(`${path}?token=${name()}`);
      await request(`/functions/v1/${name()}/${name()}`, { method: 'POST' });
    };
    await round();
    const before = (await figuresAt(at)).those('madhouse_requests_total').length;
    for (let time = 0; time < 3; time++) await round();
    const { text, those } = await figuresAt(at);
    expect(those('madhouse_requests_total')).toHaveLength(before);
    expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/);
    expect(text).not.toMatch(/10\.\d+\.\d+\.\d+/);
  });

  it('count requests rejected by limits', async () => {
    const json = { email: 'unknown@madhouse.example', password: 'x' };
    const call = { headers: { 'x-forwarded-for': newAddress() }, json };
    const statuses: number[] = [];
    for (let time = 0; time < 40; time++)
      statuses.push((await clientOf(server).send('/auth/v1/token?grant_type=password', call)).status);
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    const { sum } = await figuresAt(at);
    expect(sum('madhouse_refused_total', { route: '/auth/v1/token', reason: 'too many requests' })).toBe(refused);
  });

  it('report how many e-mails are queued, and the age of the oldest', async () => {
    expect((await figuresAt(at)).sum('madhouse_mails_waiting')).toBe(0);
    const { createUser, send } = clientOf(server);
    const email = `${randomUUID()}@madhouse.example`;
    await createUser({ email, password: 'tangerine bicycle pump' });
    expect((await send('/auth/v1/recover', { json: { email } })).status).toBe(200);
    const message = { p_name: 'Asha', p_email: 'asha@example.com', p_message: 'Hello there, this is a message.' };
    expect((await send('/rest/v1/rpc/send_message', { json: message })).status).toBeLessThan(300);
    await expect.poll(async () => (await figuresAt(at)).sum('madhouse_mails_waiting')).toBe(2);
    const oldest = async () => (await figuresAt(at)).sum('madhouse_mail_oldest_seconds');
    await expect.poll(oldest).toBeGreaterThan(1);
    expect(await oldest()).toBeLessThan(120);
  });

  it('report sessions, the event loop and the process, and serve no other path', async () => {
    const { those } = await figuresAt(at);
    for (const name of ['madhouse_database_sessions_in_use', 'madhouse_database_sessions_waiting'])
      expect(those(name), name).toHaveLength(1);
    const used = ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes'];
    for (const name of used) expect(those(name)[0]!.value, name).toBeGreaterThan(0);
    for (const path of ['/', '/ready']) expect((await fetch(`http://${at}${path}`)).status).toBe(404);
    expect((await fetch(`http://${at}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${server.base}/metrics`)).status).toBe(404);
  });

  it('prevent the start with one line when the METRICS address is in use', async () => {
    const settings = { METRICS: at, DATABASE_URL: server.databaseUrl! };
    expect(await failedStart(settings)).toMatch(/Cannot listen on METRICS: .*EADDRINUSE/);
  });
});

describe('metrics of several processes', () => {
  let at: string;
  const server = forAllTests(async () => {
    at = `127.0.0.1:${await freePort()}`;
    return startServerOnPostgres({ WORKERS: '2', METRICS: at, SEED: 'none' });
  });
  beforeAll(async () => {
    // The second worker starts when the first is ready.
    const bothListen = async () => expect((await figuresAt(at)).those('madhouse_listener_age_seconds')).toHaveLength(2);
    await vi.waitFor(bothListen, { timeout: 60_000, interval: 200 });
  });

  it('are labelled by worker, except values of the installation', async () => {
    const REQUESTS = 30;
    for (let time = 0; time < REQUESTS; time++) {
      // A new connection, so that the next request reaches the other worker.
      await (await fetch(`${server.base}/about`, { headers: { connection: 'close' } })).arrayBuffer();
    }
    const { sum, those } = await figuresAt(at);
    expect(sum('madhouse_requests_total', { route: '/about' })).toBe(REQUESTS);
    const series = those('madhouse_requests_total', { route: '/about' });
    expect(new Set(series.map(({ labels }) => labels['worker'])).size).toBe(2);
    expect(those('madhouse_listener_age_seconds')).toHaveLength(2);
    for (const { value } of those('madhouse_listener_age_seconds')) expect(value).toBeLessThan(5);
    expect(those('madhouse_mails_waiting')).toEqual([{ name: 'madhouse_mails_waiting', labels: {}, value: 0 }]);
  });
});
