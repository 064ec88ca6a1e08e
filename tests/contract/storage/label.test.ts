import { describe } from 'vitest';
import { onDisk } from './storage-server.ts';
import { labelTests } from './label.ts';

describe('on disk', () => labelTests(onDisk));
