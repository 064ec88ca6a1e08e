import { describe } from 'vitest';
import { hostedTests } from './as-hosted.ts';
import { credentialTests } from './credentials.ts';
import { onDisk } from './house.ts';
import { labelTests } from './label.ts';
import { resumableTests } from './resumable.ts';

describe('on disk', () => {
  resumableTests(onDisk);
  labelTests(onDisk);
  credentialTests(onDisk);
  hostedTests(onDisk);
});
