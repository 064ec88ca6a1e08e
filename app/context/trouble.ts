import type { Refusal } from '../models/data/refusal.ts';

/** What went wrong with the backend while one request was answered. */
export class Trouble {
  /** The strongest refusal; null when nothing was refused. */
  refusal: Refusal | null = null;
  /** Something stands in for what could not be read: such an answer is not kept. */
  incomplete = false;

  /** Notes an answer of the backend when it is a refusal. */
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

/** A hosted backend is also away behind a gateway that says so. */
function refusedWith(status: number): Refusal['status'] | null {
  if (status === 429 || status === 507) return status;
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530) ? 503 : null;
}
