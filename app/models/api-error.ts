/** A refusal or failure of a service, in words people can read. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The service's own message, without the prefix. */
  readonly reason: string;
  /** SQLSTATE or service code, when there is one. */
  readonly code: string | null;

  constructor(reason: string, code: string | null = null) {
    const words = reason || 'An error occurred';
    super(`API Error: ${words}`);
    this.reason = words;
    this.code = code;
  }
}

/** The sentence to show for anything that was thrown; `otherwise` when it says nothing. */
export const messageOf = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise;
