/** Request header that authorizes access to a guest's draft; read by policies (docs/decisions/006). */
export const DRAFT_SECRET = 'x-draft-secret';

/** 256 bits: 43 characters of base64url or 64 of hexadecimal. A missing or empty value is valid: no secret. */
export const isDraftSecret = (value: string | undefined): boolean =>
  !value?.trim() || /^([A-Za-z0-9_-]{43}|[0-9a-f]{64})$/.test(value.trim());
