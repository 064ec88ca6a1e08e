import { describe } from 'vitest';
import { engines } from '../database.ts';
import { everyChair } from './every-chair.ts';

describe('permissions on PostgreSQL', () => everyChair(engines[1]!));
