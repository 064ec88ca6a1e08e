import { describe } from 'vitest';
import { onDisk } from './house.ts';
import { labelTests } from './label.ts';

describe('on disk', () => labelTests(onDisk));
