import { describe } from 'vitest';
import { onDisk } from './house.ts';
import { storageTests } from './storage.ts';

describe('on disk', () => storageTests(onDisk));
