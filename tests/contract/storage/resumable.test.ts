import { describe } from 'vitest';
import { onDisk } from './house.ts';
import { resumableTests } from './resumable.ts';

describe('on disk', () => resumableTests(onDisk));
