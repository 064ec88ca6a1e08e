import { describe } from 'vitest';
import { storageTests } from './storage.ts';
import { onDisk } from './storage-server.ts';

describe('on disk', () => storageTests(onDisk));
