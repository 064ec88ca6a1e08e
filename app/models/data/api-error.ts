/** Words that browsers put in place of a message when the network fails. */
const NO_ANSWER = /^(TypeError|FetchError|NetworkError)\b/;

/** A refusal or failure of a service, in words people can read. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The service's own message, without the prefix; empty when it said nothing or could not be reached. */
  readonly reason: string;
  /** SQLSTATE or service code, when there is one. */
  readonly code: string | null;
  /** There was no answer at all: the line is broken. */
  readonly lost: boolean;

  constructor(reason: string, code: string | null = null) {
    const words = NO_ANSWER.test(reason) ? '' : reason;
    super(`API Error: ${words || 'An error occurred'}`);
    this.reason = words;
    this.code = code;
    this.lost = NO_ANSWER.test(reason);
  }
}

/** Whether something failed because there was no answer; trying again when the line is back may help. */
export const isLost = (error: unknown): boolean => (error as { lost?: boolean } | null)?.lost === true;

/** The sentence to show for anything that was thrown; `otherwise` when it says nothing. */
export function messageOf(error: unknown, otherwise: string): string {
  if (error instanceof ApiError && !error.reason) return otherwise;
  return (error instanceof Error && error.message) || otherwise;
}
