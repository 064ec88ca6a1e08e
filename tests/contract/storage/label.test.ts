import { describe } from 'vitest';
import { labelTests } from './label.ts';
import { onDisk } from './storage-server.ts';

describe('on disk', () => labelTests(onDisk));
