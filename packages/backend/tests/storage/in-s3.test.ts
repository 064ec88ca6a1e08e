import { describe } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { findSwift, startSwift } from '../../../../tests/programs/swift.ts';
import { resumableTests } from './resumable.ts';
import { onS3 } from './storage-server.ts';
import { storeTests } from './stores.ts';

describe.skipIf(!findSwift())('in S3', () => {
  const store = onS3(forAllTests(startSwift));
  storeTests(store);
  resumableTests(store);
});
