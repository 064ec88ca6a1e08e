const FOLDER = 'tests/operator/operating';
const METRICS = 'server/telemetry/metrics.ts';
const TELEMETRY = 'server/telemetry/telemetry.ts';
const HANDLER = 'server/request-handler.ts';
const READINESS = 'packages/backend/database/readiness.ts';

const noticedIn = (test: string) => (title: string, breaks: string, file: string, from: string, to: string) => ({
  breaks,
  file,
  from,
  to,
  test: `${FOLDER}/${test}.test.ts`,
  title,
});
const [cdn, log, metrics, ready] = ['cdn', 'request-log', 'metrics', 'ready'].map(noticedIn) as [
  ReturnType<typeof noticedIn>,
  ReturnType<typeof noticedIn>,
  ReturnType<typeof noticedIn>,
  ReturnType<typeof noticedIn>,
];

/** Logs, metrics, readiness and caching headers. */
export const mutations = [
  cdn(
    'an experiment with a draft’s cookie',
    'a CDN may cache public responses alone',
    HANDLER,
    'if (isCacheable && config.cdnSeconds)',
    'if (config.cdnSeconds)',
  ),
  cdn(
    'tagged with what invalidates them',
    'Vary names what opens something',
    'server/cache/response-cache.ts',
    "'X-Draft-Secret, ",
    "'",
  ),
  cdn(
    'unless CDN_SECONDS is set',
    'off by default',
    'packages/backend/config/config.ts',
    "must be at most 86400')\n    .default(0)",
    "must be at most 86400')\n    .default(1)",
  ),
  log(
    'no credentials or personal data',
    'no query in the log',
    TELEMETRY,
    'route: routeOf(method, url),',
    'route: routeOf(method, url) + url,',
  ),
  log(
    'logs the client’s traceparent',
    'only a traceparent is carried',
    TELEMETRY,
    'TRACEPARENT.test(header)',
    'header',
  ),
  log('is forwarded to a hosted project', 'the traceparent goes on', TELEMETRY, "'undici:request:create', ", ''),
  log(
    'the same from the cache',
    'kept is said of what is kept',
    HANDLER,
    'if (traced) traced.kept = true;',
    'if (traced) traced.kept = false;',
  ),
  log(
    'number that an error answer names',
    'one id for log and answer',
    'server/client-address.ts',
    'currentRequest.getStore()?.id ?? randomUUID()',
    'randomUUID()',
  ),
  metrics(
    'only as many series as routes',
    'unknown paths create no series',
    'app/context/route-patterns.ts',
    '?.[0]?.route.path',
    '?.[0]?.pathname',
  ),
  metrics(
    'only as many series as routes',
    'unknown paths create no series of a service',
    'server/telemetry/route-patterns.ts',
    'return found ? ',
    'return !found ? path : found ? ',
  ),
  metrics('what limits refused', 'refusals are counted', METRICS, "429: 'too many requests', ", ''),
  metrics(
    'how many e-mails are queued',
    'mails that wait are counted',
    'packages/backend/services.ts',
    'mails: await mail.waiting()',
    'mails: { mails: 0, since: null }',
  ),
  metrics(
    'by worker',
    'workers have a label',
    METRICS,
    'if (cluster.isWorker) own.setDefaultLabels',
    'if (cluster.isPrimary) own.setDefaultLabels',
  ),
  ready('lacks migrations', 'an older database is not ready', READINESS, '< versions.length', '< 1'),
  ready(
    'while the LISTEN connection is lost',
    'a lost listener is reported',
    'packages/backend/services.ts',
    'MAX_LISTENER_AGE_MS = 2_000',
    'MAX_LISTENER_AGE_MS = 2_000_000',
  ),
];
