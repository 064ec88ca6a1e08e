import { relative } from 'node:path';
import { expect } from 'vitest';
import { logServersTo } from './server-logs.ts';

// A setup file: runs in the test process before each test file.
logServersTo(relative(process.cwd(), expect.getState().testPath!));
