import { type Mutation, noticedBy } from '../mutations.bench.ts';

export const mutations: Mutation[] = [
  ...noticedBy('tests/journeys/setup/admin-setup.test.ts', 'creates the first admin, once', [
    'SETUP-17',
    'server/start-server.ts',
    "config.mode === 'development' ?",
    'config.mode ?',
  ]),
  ...noticedBy('tests/operator/abuse/limits.test.ts', 'limits URLs to 8 KB', [
    'section 8, URL',
    'server/request-handler.ts',
    'MAX_URL_LENGTH = 8 * 1024',
    'MAX_URL_LENGTH = 80 * 1024',
  ]),
  ...noticedBy('tests/operator/abuse/time-limits.test.ts', 'end an incomplete body after 30 s', [
    'section 8, request complete',
    'server/admission.ts',
    'BODY_TIMEOUT_MS = 30_000',
    'BODY_TIMEOUT_MS = 300_000',
  ]),
  ...noticedBy('tests/operator/abuse/time-limits.test.ts', 'end a response that the client does not read', [
    'section 8, reader that takes nothing',
    'server/connections.ts',
    'READ_TIMEOUT_MS = 30_000',
    'READ_TIMEOUT_MS = 300_000',
  ]),
  ...noticedBy('tests/operator/abuse/limits.test.ts', 'are limited to 32 per address and 256 in all', [
    'section 8, in flight of an address',
    'server/concurrency-limit.ts',
    'PER_ADDRESS = 32',
    'PER_ADDRESS = 320',
  ]),
  ...noticedBy(
    'tests/operator/abuse/slow-clients.test.ts',
    '256 slow senders from four addresses',
    [
      'section 8, in flight counts a /56',
      'server/client-address.ts',
      'countedAddress(addressOf(request, trustProxy), 56)',
      'countedAddress(addressOf(request, trustProxy))',
    ],
    ['section 8, unfinished bodies of an address', 'server/transfers.ts', 'PER_ADDRESS = 64', 'PER_ADDRESS = 640'],
  ),
  ...noticedBy('tests/operator/operating/cdn.test.ts', 'public data with all Vary headers', [
    'Vary names what opens something',
    'server/cache/response-cache.ts',
    "'X-Draft-Secret, ",
    "'",
  ]),
  ...noticedBy('tests/operator/operating/request-log.test.ts', 'no credentials or personal data', [
    'no query in the log',
    'server/telemetry/telemetry.ts',
    'route: routeOf(method, url),',
    "route: routeOf(method, url) + (url.split('?')[1] ?? ''),",
  ]),
  ...noticedBy('tests/operator/operating/metrics.test.ts', 'at most one series per route', [
    'unknown paths create no series of a service',
    'server/telemetry/route-patterns.ts',
    '[0][0]?.[0] ??',
    '[0][0]?.[0] ?? path ??',
  ]),
  ...noticedBy('tests/operator/operating/metrics.test.ts', 'count requests rejected by limits', [
    'refusals are counted',
    'server/telemetry/metrics.ts',
    "429: 'too many requests', ",
    '',
  ]),
];
