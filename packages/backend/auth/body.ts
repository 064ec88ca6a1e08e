import type { Context } from 'hono';
import * as z from 'zod';
import { BREADTH, JSON_DEPTH, jsonDepth, readText, tooWide } from '../http/limits.ts';
import { errors } from './errors.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_METADATA_BYTES = 8 * 1024;
const MAX_METADATA_DEPTH = 8;
const MAX_EMAIL_LENGTH = 255;

/** Ignores unknown fields: the official clients send extra ones. @throws ApiError 400, 413 */
export async function readBody<Shape extends z.ZodType>(
  c: Context,
  shape: Shape,
  { maxBytes = MAX_BODY_BYTES, mayBeEmpty = false } = {},
): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(await readJson(c, maxBytes, mayBeEmpty));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.path.join('.');
  throw errors.invalid(field ? `${field}: ${issue.message}` : issue.message);
}

const bodies = new WeakMap<Request, Promise<unknown>>();

// Cached per request: a middleware and its endpoint may both read the body.
function readJson(c: Context, maxBytes: number, mayBeEmpty: boolean): Promise<unknown> {
  const { raw } = c.req;
  const body =
    bodies.get(raw) ?? readText(c, maxBytes).then((text) => (mayBeEmpty && !text.trim() ? {} : parseJson(text)));
  bodies.set(raw, body);
  return body;
}

function parseJson(text: string): unknown {
  if (jsonDepth(text) > JSON_DEPTH) throw errors.badJson(`JSON is nested deeper than ${JSON_DEPTH} levels`);
  if (!text.trim()) throw errors.badJson();
  let value: unknown;
  try {
    value = JSON.parse(text, (key, inner: unknown) => {
      if (!isStorable(key) || (typeof inner === 'string' && !isStorable(inner))) throw errors.invalid(UNSTORABLE);
      return inner;
    });
  } catch (error) {
    throw error instanceof SyntaxError ? errors.badJson() : error;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw errors.badJson();
  const problem = tooWide(value, BREADTH);
  if (problem) throw errors.invalid(problem);
  return value;
}

const UNSTORABLE = 'Text must not hold NUL characters or half characters';
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

export const optional = <Inner extends z.ZodType>(inner: Inner) =>
  z.optional(z.nullable(inner)).transform((v) => v ?? null);

const text = optional(z.string());

export const texts = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;

/** User metadata. Written by the user: never use it for authorization. */
export const metadata = optional(
  z.record(z.string(), z.json()).refine(
    (data) => {
      const text = JSON.stringify(data);
      return Buffer.byteLength(text) <= MAX_METADATA_BYTES && jsonDepth(text) <= MAX_METADATA_DEPTH;
    },
    `must be at most ${MAX_METADATA_BYTES / 1024} KB and ${MAX_METADATA_DEPTH} levels deep`,
  ),
);

const ADDRESS = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+$/;

/** Trims and lower-cases an e-mail address. @throws ApiError 400 when it is invalid */
export function emailAddress(text: string): string {
  const address = text.trim().toLowerCase();
  if (address.length > MAX_EMAIL_LENGTH) throw errors.invalid('An email address is too long');
  const [local, host] = address.split('@');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters would end up in mail headers.
  if (!ADDRESS.test(address) || /[\u0000-\u001f\u007f-\u009f]/.test(address) || local!.length > 64 || !isHost(host!))
    throw errors.invalid('Unable to validate email address: invalid format');
  return address;
}

/** Like `emailAddress`, for values of identity providers. @returns null when it is invalid */
export function emailAddressOrNull(value: unknown): string | null {
  try {
    return typeof value === 'string' ? emailAddress(value) : null;
  } catch {
    return null;
  }
}

const isHost = (host: string) =>
  host.split('.').every((label) => label.length > 0 && label.length <= 63 && !/^-|-$/.test(label));
