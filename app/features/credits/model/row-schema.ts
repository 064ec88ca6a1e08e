import * as z from 'zod/mini';
import { MADE } from '#lib/words/credits.ts';

const text = z.string();

export const creditRowSchema = z.object({
  key: text,
  part: text,
  made: z.enum(['', ...MADE]),
  people: z.array(text),
  tools: z.array(text),
  person: text,
  tool: text,
});
