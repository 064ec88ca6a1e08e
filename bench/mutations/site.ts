import type { Mutation } from '../mutations.bench.ts';

/** The server before the pages: kept answers, answers that are shared, stopping. */
export const mutations: Mutation[] = [
  {
    breaks: 'B1: a write empties what is kept',
    file: 'server/start-server.ts',
    from: '() => cache.clear(),',
    to: '() => {},',
    test: 'tests/operator/front.test.ts',
    title: 'shows a write to the very next visitor',
  },
  {
    breaks: 'B6: a page started before a write is not shared',
    file: 'server/cache/shared-responses.ts',
    from: 'entry && entry.generation === this.#cache.generation ? entry.response : null',
    to: 'found?.answer ?? null',
    test: 'server/cache/shared-responses.test.ts',
    title: 'B6: never reach a client that may have seen a later write',
  },
  {
    breaks: 'B1: an answer made during a write is not kept',
    file: 'server/cache/response-cache.ts',
    from: 'generation !== this.generation || ',
    to: '',
    test: 'server/cache/response-cache.test.ts',
    title: 'are discarded when data changed while they were rendered',
  },
  {
    breaks: 'TM: who shows a draft secret gets no kept answer',
    file: 'server/cache/response-cache.ts',
    from: "'cookie', 'x-draft-secret'",
    to: "'cookie'",
    test: 'server/cache/response-cache.test.ts',
    title: 'are never stored for a request with a credential, the draft cookie or a secret',
  },
  {
    breaks: 'TM: a page rendered with a cookie is not shared',
    file: 'server/request-handler.ts',
    from: "  request.headers.delete('cookie');\n",
    to: '',
    test: 'tests/operator/kept-pages.test.ts',
    title: 'a cookie that is not ours',
  },
  {
    breaks: 'B9: nothing is cached while the LISTEN connection is lost',
    file: 'server/cache/response-cache.ts',
    from: 'this.clear();\n    this.#paused = true;',
    to: 'this.clear();',
    test: 'server/cache/response-cache.test.ts',
    title: 'B9: are neither stored nor returned while notifications are lost',
  },
  {
    breaks: 'M1: a stop waits for what is being sent',
    file: 'server/connections.ts',
    from: 'await Promise.race([closed, timeout]);',
    to: '',
    test: 'tests/operator/stopping.test.ts',
    title: 'sends an answer to its end that is still being read',
  },
  {
    breaks: 'M1: a stop waits for no reader who does not read',
    file: 'server/connections.ts',
    from: 'const GRACE_MS = 7_000;',
    to: 'const GRACE_MS = 70_000;',
    test: 'tests/operator/stopping.test.ts',
    title: 'waits for no sender and no reader who does not',
  },
];
