import { ConfigError, ownConfig } from './config.ts';
import { printBanner } from './server/banner.ts';
import { startServer } from './server/start-server.ts';

// A stop that takes longer has failed: what is under way ends after seven seconds, the database needs about one.
const PATIENCE_MS = 15_000;

try {
  const config = await ownConfig();
  const server = await startServer(config);
  printBanner(config, server);
  let closing = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (closing) return;
      closing = true;
      setTimeout(() => process.exit(1), PATIENCE_MS).unref();
      await server.close();
      process.exit(0);
    });
  }
} catch (error) {
  console.error(
    error instanceof ConfigError ? `Cannot start: ${error.message}` : `Cannot start: ${(error as Error).message}`,
  );
  if (!(error instanceof ConfigError) && process.env['LOG_LEVEL'] === 'debug') console.error(error);
  process.exit(1);
}
