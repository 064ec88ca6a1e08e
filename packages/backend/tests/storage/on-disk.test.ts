import { describe } from 'vitest';
import { resumableTests } from './resumable.ts';
import { onDisk } from './storage-server.ts';
import { storeTests } from './stores.ts';

describe('storage on disk', () => {
  storeTests(onDisk);
  resumableTests(onDisk);
});
