import { relative } from 'node:path';
import { expect } from 'vitest';
import { logServersTo } from './server-logs.ts';

// Runs before each test file, in its process.
logServersTo(relative(process.cwd(), expect.getState().testPath!));
