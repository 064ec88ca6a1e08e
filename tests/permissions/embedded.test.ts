import { describe } from 'vitest';
import { embedded } from '../database.ts';
import { testAccess } from './all-permissions.ts';
import { stageFor } from './stage.ts';

describe('permissions on the embedded engine', () => testAccess(stageFor(embedded)));
