import { afterAll, beforeAll, describe } from 'vitest';
import { findSwift, startSwift, type TestSwift } from '../../programs/swift.ts';
import { hostedTests } from './as-hosted.ts';
import { labelTests } from './label.ts';
import { resumableTests } from './resumable.ts';
import { onS3 } from './storage-server.ts';

describe.skipIf(!findSwift())('in S3', () => {
  let swift: TestSwift;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift.stop());
  const store = onS3(() => swift);
  resumableTests(store);
  labelTests(store);
  hostedTests(store);
});
