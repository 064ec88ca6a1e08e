import { describe } from 'vitest';
import { onDisk } from './storage-server.ts';
import { resumableTests } from './resumable.ts';

describe('on disk', () => resumableTests(onDisk));
