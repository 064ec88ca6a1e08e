import type { Refusal } from '#lib/data/refusal.ts';

export class Trouble {
  refusal: Refusal | null = null;
  /** A fallback replaced unreadable data: the response must not be cached. */
  incomplete = false;

  note({ status, headers }: Response): void {
    const refused = refusedWith(status);
    if (refused) this.refuse(refused, Number(headers.get('retry-after')) || 1);
  }

  refuse(status: Refusal['status'], seconds: number): void {
    const before = this.refusal;
    this.refusal = {
      status: before && before.status > status ? before.status : status,
      seconds: Math.max(seconds, before?.seconds ?? 0),
    };
  }
}

function refusedWith(status: number): Refusal['status'] | null {
  if (status === 429 || status === 507) return status;
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530) ? 503 : null;
}
