import { describe } from 'vitest';
import { hostedTests } from './as-hosted.ts';
import { onDisk } from './storage-server.ts';

describe('on disk', () => hostedTests(onDisk));
