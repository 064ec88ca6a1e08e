import { loadConfig } from './packages/backend/config/config.ts';
import { ConfigError } from './packages/backend/config/config-error.ts';
import { bufferLog } from './packages/backend/http/log.ts';
import { printBanner, startInfo } from './server/banner.ts';
import { stopOnSignal } from './server/processes/stop-on-signal.ts';
import { startServer } from './server/start-server.ts';

try {
  // A closed terminal ends the server; a service is reloaded by this signal, and one process has nothing to replace.
  if (!process.stdout.isTTY) process.on('SIGHUP', () => {});
  const initialEnvironment = { ...process.env };
  const config = await loadConfig();
  bufferLog();
  if (config.workers > 1) {
    const { default: cluster } = await import('node:cluster');
    if (cluster.isWorker) {
      const { runWorker } = await import('./server/processes/worker.ts');
      await runWorker(config);
    } else {
      // A worker reads `.env` itself, so that one started later sees the current file.
      for (const name of Object.keys(process.env)) if (!(name in initialEnvironment)) delete process.env[name];
      const { runPrimary } = await import('./server/processes/primary.ts');
      await runPrimary(config);
    }
  } else {
    const server = await startServer(config);
    stopOnSignal(config, { drain: server.drain, close: () => server.close().then(() => 0) });
    printBanner(config, startInfo(server));
    // If this fails, the next start creates and prints another key.
    server.backend?.setupKeyPrinted().catch(() => undefined);
  }
} catch (error) {
  console.error(`Cannot start: ${(error as Error).message}`);
  if (!(error instanceof ConfigError) && process.env['LOG_LEVEL'] === 'debug') console.error(error);
  process.exit(1);
}
