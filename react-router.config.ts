import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { compressFolder } from './server/files.ts';

export default {
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  // After everything is written: the framework adds its manifest when the plugins of Vite have run.
  buildEnd: ({ reactRouterConfig }) => compressFolder(join(reactRouterConfig.buildDirectory, 'client')),
} satisfies Config;
