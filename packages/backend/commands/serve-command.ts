import { serve } from '@hono/node-server';
import { listeningAt, ownBackendConfig } from '../config/config.ts';
import { clientAddress } from '../http/client-address.ts';
import { createBackend } from '../index.ts';

try {
  const config = await ownBackendConfig();
  const backend = await createBackend(config, { cleanRichText: (html) => html });
  const server = serve(
    {
      hostname: config.host,
      port: config.port,
      overrideGlobalObjects: false,
      fetch: (request: Request, { incoming }) => backend.fetch(request, clientAddress(incoming, config.trustProxy)),
    },
    ({ port }) => {
      console.log(`Backend: ${listeningAt(config.host, port)}\nPublishable key: ${backend.publishableKey}`);
      if (backend.generatedSetupKey) console.log(`Setup key: ${backend.generatedSetupKey}`);
      backend.setupKeyPrinted().catch(() => undefined);
    },
  );
  const stop = () => server.close(() => void backend.close().then(() => process.exit(0)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
} catch (error) {
  console.error(`Cannot start: ${(error as Error).message}`);
  process.exit(1);
}
