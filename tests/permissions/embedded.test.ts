import { describe } from 'vitest';
import { engines } from '../database.ts';
import { testPermissions } from './all-permissions.ts';

describe('permissions on the embedded engine', () => testPermissions(engines[0]!));
