import { describe } from 'vitest';
import { hostedTests } from './as-hosted.ts';
import { onDisk } from './house.ts';

describe('on disk', () => hostedTests(onDisk));
