import { describe } from 'vitest';
import { embedded } from '../database.ts';
import { testAccess } from './all-permissions.ts';
import { scheduleRaces } from './planned-changes.ts';
import { stageFor } from './stage.ts';

describe('permissions on the embedded engine', () => {
  const stage = stageFor(embedded);
  testAccess(stage);
  scheduleRaces(stage);
});
