import { describe } from 'vitest';
import { engines } from '../database.ts';
import { everyChair } from './every-chair.ts';
import { lockOrder } from './lock-order.ts';
import { stageFor } from './stage.ts';

describe('permissions on PostgreSQL', () => everyChair(engines[1]!));
describe('on PostgreSQL', () => {
  lockOrder(stageFor(engines[1]!));
});
