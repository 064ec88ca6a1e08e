import { describe } from 'vitest';
import { credentialTests } from './credentials.ts';
import { onDisk } from './house.ts';

describe('on disk', () => credentialTests(onDisk));
