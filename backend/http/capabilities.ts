/** The request header that proves "this guest draft is mine"; policies read it (docs/decisions/006). */
export const DRAFT_SECRET = 'x-draft-secret';

/** 256 bits as the submitter's browser writes them: 43 characters of base64url, or 64 of hexadecimal. Missing or empty is no secret, not a wrong one. */
export const isDraftSecret = (value: string | undefined): boolean =>
  !value?.trim() || /^([A-Za-z0-9_-]{43}|[0-9a-f]{64})$/.test(value.trim());
