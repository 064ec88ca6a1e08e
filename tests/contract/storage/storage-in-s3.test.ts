import { afterAll, beforeAll, describe } from 'vitest';
import { findSwift, startSwift, type TestSwift } from '../../programs/swift.ts';
import { storageTests } from './storage.ts';
import { onS3 } from './storage-server.ts';

describe.skipIf(!findSwift())('in S3', () => {
  let swift: TestSwift;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift.stop());
  storageTests(onS3(() => swift));
});
