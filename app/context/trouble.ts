import type { Refusal } from '#lib/data/refusal.ts';

export class Trouble {
  refusal: Refusal | null = null;
  /** A fallback replaced unreadable data: the response must not be cached. */
  incomplete = false;

  note({ status, headers }: Response): void {
    const response = refusedWith(status);
    if (response) this.refuse(response, Number(headers.get('retry-after')) || 1);
  }

  refuse(status: Refusal['status'], seconds: number): void {
    const previous = this.refusal ?? { status, seconds: 0 };
    const worse = previous.status > status ? previous.status : status;
    this.refusal = { status: worse, seconds: Math.max(seconds, previous.seconds) };
  }
}

function refusedWith(status: number): Refusal['status'] | null {
  if (status === 429 || status === 507) return status;
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530) ? 503 : null;
}
