export class FormBodyError extends Error {
  override readonly name = 'FormBodyError';
  readonly status: 413 | 415;
  constructor(status: 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * CSRF check: browsers declare the origin of a POST; a request without one is not from a browser and carries no user's
 * credentials. @param origin the canonical one
 */
export function isSameOriginForm({ headers, url }: Request, origin: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const from = headers.get('origin');
  return from === null || from === origin || from === new URL(url).origin;
}

/** At most `limit` bytes. @throws FormBodyError 413 when larger, 415 for another content type */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new FormBodyError(415, 'The body is no form');
  return new URLSearchParams(await readBody(request, limit));
}

/** Reads a JSON body of at most `limit` bytes; undefined when it is not JSON. @throws FormBodyError 413 or 415 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new FormBodyError(415, 'The body is not JSON');
  const text = await readBody(request, limit);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBody({ body }: Request, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new FormBodyError(413, `The form is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
