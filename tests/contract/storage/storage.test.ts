import { describe } from 'vitest';
import { onDisk } from './storage-server.ts';
import { storageTests } from './storage.ts';

describe('on disk', () => storageTests(onDisk));
