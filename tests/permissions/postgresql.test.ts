import { describe } from 'vitest';
import { postgresql } from '../database.ts';
import { testAccess, testBehaviour } from './all-permissions.ts';
import { lockOrder } from './lock-order.ts';
import { stageFor } from './stage.ts';

describe('permissions on PostgreSQL', () => {
  const stage = stageFor(postgresql);
  testAccess(stage);
  testBehaviour(stage);
});
describe('PostgreSQL', () => {
  lockOrder(stageFor(postgresql));
});
