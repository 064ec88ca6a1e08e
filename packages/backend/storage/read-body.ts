import * as z from 'zod';
import { BodyError, JSON_DEPTH, jsonDepth, readText } from '../http/limits.ts';
import type { Request } from './context.ts';
import { errors } from './errors.ts';

const MAX_BODY_BYTES = 1024 ** 2;

/** Parses the JSON body; an empty body counts as `{}`. @throws InvalidRequest naming the first invalid value */
export async function readBody<T extends z.ZodType>(c: Request, schema: T): Promise<z.infer<T>> {
  const text = await readText(c as never, MAX_BODY_BYTES).catch((error: unknown) => {
    throw error instanceof BodyError ? errors.invalidRequest(error.message) : error;
  });
  if (jsonDepth(text) > JSON_DEPTH) throw errors.invalidRequest(`body is nested deeper than ${JSON_DEPTH}`);
  let value: unknown;
  try {
    value = text.trim() ? JSON.parse(text) : {};
  } catch {
    throw errors.invalidRequest('body must be valid JSON');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw errors.invalidRequest(`body/${issue.path.join('/')} ${issue.message}`);
}

export const plainText = (maxLength = 1024) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not hold NUL or broken characters');
