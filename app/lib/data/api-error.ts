/** Instead of a message: what browsers report when the network fails, or a proxy's HTML page while its server is down. */
const NO_ANSWER = /^((Type|Fetch|Network)Error\b|\s*<)/;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: string;
  readonly code: string | null;
  /** The service did not respond. */
  readonly lost: boolean;

  constructor(reason: string, code: string | null = null) {
    const words = NO_ANSWER.test(reason) ? '' : reason;
    super(`API Error: ${words || 'An error occurred'}`);
    this.reason = words;
    this.code = code;
    this.lost = NO_ANSWER.test(reason);
  }
}

/** The row was changed since the caller read it; nothing was overwritten. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
  override readonly message = 'Someone else changed this meanwhile. This is their version; your change was not saved.';
}

export const isLost = (error: unknown): boolean => (error as { lost?: boolean } | null)?.lost === true;

/** The message to show for any thrown value; `otherwise` when it has none. */
export function messageOf(error: unknown, otherwise: string): string {
  if (error instanceof ApiError && !error.reason) return otherwise;
  return (error instanceof Error && error.message) || otherwise;
}

/** The same for people who need not know that a service refused. */
export const reasonOf = (error: unknown, otherwise: string) => messageOf(error, otherwise).replace('API Error: ', '');
