import { describe } from 'vitest';
import { resumableTests } from './resumable.ts';
import { onDisk } from './storage-server.ts';

describe('on disk', () => resumableTests(onDisk));
