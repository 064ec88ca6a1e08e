import type { Mutation } from '../mutations.bench.ts';

const SAFETY = 'tests/contract/rest/safety.test.ts';
const DOOR = 'tests/operator/abuse/limits.test.ts';
const TIME = 'tests/operator/abuse/time-limits.test.ts';
const PROJECT = 'packages/backend/config/supabase-config.ts';

/** Limits of the threat model (section 8), raised tenfold or no longer looked at: of the front door. */
export const mutations: Mutation[] = [
  {
    breaks: 'section 8, header block',
    file: 'server/start-server.ts',
    from: 'MAX_HEADER_BYTES = 16 * 1024',
    to: 'MAX_HEADER_BYTES = 160 * 1024',
    test: DOOR,
    title: 'heads have 16 KB',
  },
  {
    breaks: 'section 8, URL',
    file: 'server/request-handler.ts',
    from: 'MAX_URL_LENGTH = 8 * 1024',
    to: 'MAX_URL_LENGTH = 80 * 1024',
    test: DOOR,
    title: 'addresses have 8 KB',
  },
  {
    breaks: 'section 8, headers complete',
    file: 'server/start-server.ts',
    from: 'HEADERS_TIMEOUT_MS = 10_000',
    to: 'HEADERS_TIMEOUT_MS = 100_000',
    test: TIME,
    title: 'a head after 10 s',
  },
  {
    breaks: 'section 8, request complete',
    file: 'server/admission.ts',
    from: 'BODY_TIMEOUT_MS = 30_000',
    to: 'BODY_TIMEOUT_MS = 300_000',
    test: TIME,
    title: 'a body after 30 s',
  },
  {
    breaks: 'section 8, upload of 1 KB/s',
    file: 'server/admission.ts',
    from: 'MIN_UPLOAD_BYTES_PER_SECOND = 1024',
    to: 'MIN_UPLOAD_BYTES_PER_SECOND = 102',
    test: TIME,
    title: 'an upload of less than 1 KB',
  },
  {
    breaks: 'section 8, upload complete',
    file: 'server/admission.ts',
    from: 'UPLOAD_MS = 120_000',
    to: 'UPLOAD_MS = 1_200_000',
    test: TIME,
    title: 'an upload after 120 s',
  },
  {
    breaks: 'section 8, idle',
    file: 'server/start-server.ts',
    from: 'IDLE_TIMEOUT_MS = 60_000',
    to: 'IDLE_TIMEOUT_MS = 600_000',
    test: TIME,
    title: 'a connection without a request',
  },
  {
    breaks: 'section 8, reader that takes nothing',
    file: 'server/connections.ts',
    from: 'READ_TIMEOUT_MS = 30_000',
    to: 'READ_TIMEOUT_MS = 300_000',
    test: TIME,
    title: 'a response that is not read',
  },
  {
    breaks: 'section 8, in flight of an address',
    file: 'server/concurrency-limit.ts',
    from: 'PER_ADDRESS = 32',
    to: 'PER_ADDRESS = 320',
    test: DOOR,
    title: 'are 32 for an address and 256 in all',
  },
  {
    breaks: 'section 8, in flight in all',
    file: 'server/concurrency-limit.ts',
    from: 'TOTAL = 256',
    to: 'TOTAL = 2560',
    test: DOOR,
    title: 'are 32 for an address and 256 in all',
  },
  {
    breaks: 'section 8, wait for a place',
    file: 'server/concurrency-limit.ts',
    from: 'WAIT_MS = 2_000',
    to: 'WAIT_MS = 0',
    test: DOOR,
    title: 'are 32 for an address and 256 in all',
  },
  {
    breaks: 'section 8, in flight counts a /56',
    file: 'server/client-address.ts',
    from: 'countedAddress(addressOf(request, trustProxy), 56)',
    to: 'countedAddress(addressOf(request, trustProxy))',
    test: 'tests/operator/abuse/slow-clients.test.ts',
    title: '256 from four addresses',
  },
  {
    breaks: 'section 8, unfinished bodies of an address',
    file: 'server/transfers.ts',
    from: 'PER_ADDRESS = 64',
    to: 'PER_ADDRESS = 640',
    test: 'tests/operator/abuse/slow-clients.test.ts',
    title: '256 from four addresses',
  },
  {
    breaks: 'section 8, unfinished bodies in all',
    file: 'server/transfers.ts',
    from: 'TOTAL = 512',
    to: 'TOTAL = 5120',
    test: DOOR,
    title: 'all of them together 512',
  },
  {
    breaks: 'section 8, the slowest is ended',
    file: 'server/transfers.ts',
    from: '(ofAddress, (one) => -speedOf(one))',
    to: '(ofAddress, speedOf)',
    test: 'tests/operator/abuse/slow-clients.test.ts',
    title: 'the slowest of them is ended',
  },
  {
    breaks: 'section 8, reading API',
    file: PROJECT,
    from: 'requests_per_minute: z.int().nonnegative().default(600)',
    to: 'requests_per_minute: z.int().nonnegative().default(6000)',
    test: DOOR,
    title: 'may send 600 requests a minute',
  },
  {
    breaks: 'section 8, pages',
    file: 'packages/backend/config/config.ts',
    from: 'pages: rate(600,',
    to: 'pages: rate(6000,',
    test: 'tests/operator/abuse/refusals-on-pages.test.ts',
    title: 'from the 601st uncached page in a minute',
  },
  {
    breaks: 'section 8, probes outside the count',
    file: 'server/request-handler.ts',
    from: 'if (isProbe) return void probe(url, response);',
    to: `if (isProbe)
      return void Promise.resolve(
        admission.inPlace(async () => {
          await probe(url, response);
          return new Response();
        })(new Request('http://localhost'), { incoming: request, outgoing: response }),
      ).then(({ status }) => status !== 200 && refuse(response, status, 'Too many at once.'));`,
    test: DOOR,
    title: 'are 32 for an address and 256 in all',
  },

  {
    breaks: 'TM-29',
    file: 'app/lib/data/html-to-text.ts',
    from: '.split(/\\s+/)',
    to: '.split(/(?:\\s|\\n)+(?=\\d{99})|\\s+/)',
    test: DOOR,
    title: 'TM-29: spaces',
  },
  {
    breaks: 'TM-46',
    file: 'packages/backend/database/pglite/engine.ts',
    from: 'STACK_MB = 32',
    to: 'STACK_MB = 1',
    test: 'packages/backend/database/pglite/engine.test.ts',
    title: 'TM-46, TM-47: rejects',
  },
  {
    breaks: 'TM-47',
    file: 'packages/backend/rest/sql/run-statement.ts',
    from: 'if (rows.length !== 1) throw',
    to: 'if (rows.length === 0) return { rows: 0, total: null, body: null, status: null, headers: null, inserted: null, location: null };\n  if (rows.length !== 1) throw',
    test: SAFETY,
    title: 'calls nothing a success',
  },
];
