import { describe } from 'vitest';
import { engines } from '../database.ts';
import { testPermissions } from './all-permissions.ts';
import { lockOrder } from './lock-order.ts';
import { stageFor } from './stage.ts';

describe('permissions on PostgreSQL', () => testPermissions(engines[1]!));
describe('on PostgreSQL', () => {
  lockOrder(stageFor(engines[1]!));
});
