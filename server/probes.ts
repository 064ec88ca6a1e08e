import type { ServerResponse } from 'node:http';
import type { Config } from '../packages/backend/config/config.ts';
import type { Backend, Problem } from '../packages/backend/index.ts';
import { hostedProblems } from './hosted.ts';

type Readiness = Record<'problems' | 'warnings', Problem[]>;

/** `/health`: the process runs. `/ready`: 503 with what prevents service, else what is degraded. Exempt from limits. */
export function probes(
  { backend: settings }: Config,
  backend: Backend | null,
  isDraining: () => boolean,
  report: (error: unknown) => void,
): (url: string, response: ServerResponse) => Promise<void> {
  let pending: Promise<Readiness> | null = null;
  const check = async (): Promise<Readiness> => {
    if (isDraining())
      return { problems: [{ part: 'draining', reason: 'This server is shutting down.' }], warnings: [] };
    if (settings.kind === 'hosted')
      return { problems: await hostedProblems(settings.url, settings.publishableKey), warnings: [] };
    return { problems: await backend!.problems(), warnings: await backend!.warnings() };
  };
  const checkSafely = () =>
    check().catch((error: unknown): Readiness => {
      report(error);
      return { problems: [{ part: 'server', reason: 'The server’s readiness check failed.' }], warnings: [] };
    });
  const checkOnce = () => (pending ??= checkSafely().finally(() => (pending = null)));
  return async (url, response) => {
    if (!url.startsWith('/ready')) {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end('ok');
      return;
    }
    const { problems, warnings } = await checkOnce();
    const ready = problems.length === 0;
    response
      .writeHead(ready ? 200 : 503, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...(ready ? {} : { 'retry-after': '1' }),
      })
      .end(JSON.stringify({ ready, problems, warnings }));
  };
}
