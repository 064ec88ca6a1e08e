import { type RunningServer, startServer } from '../../tests/server.ts';

/** Starts a server, by default without a log, for `work`, and stops it afterwards. */
export async function withServer(settings: Record<string, string>, work: (server: RunningServer) => Promise<void>) {
  const server = await startServer({ LOG_LEVEL: 'silent', ...settings });
  await work(server).finally(() => server.stop());
}
