import { limits } from '../../config.ts';

const WINDOW_MS = limits.databaseTime.seconds * 1000;
const HEAVY_MS = 500;
export const ALLOWED_MS = limits.databaseTime.value;
/** Initial penalty, doubling, for a statement that could only be ended by restarting the engine. */
const PENALTY_MS = 60_000;
const MOST_DOUBLINGS = 6;
const MOST_ADDRESSES = 10_000;

interface Account {
  since: number;
  spentMs: number;
  blockedUntil: number;
  lost: number;
  lostAt: number;
}

export class DatabaseTime {
  readonly #accounts = new Map<string, Account>();
  readonly #allowedMs: number | null;

  constructor(allowedMs: number | null) {
    this.#allowedMs = allowedMs;
  }

  charge(address: string, ms: number): void {
    const account = this.#open(address);
    account.spentMs += ms;
    if (this.#allowedMs !== null && account.spentMs >= this.#allowedMs)
      account.blockedUntil = Math.max(account.blockedUntil, account.since + WINDOW_MS);
  }

  punish(address: string): void {
    const account = this.#open(address);
    const now = performance.now();
    account.lost = now - account.lostAt > PENALTY_MS * 2 ** MOST_DOUBLINGS ? 1 : account.lost + 1;
    account.lostAt = now;
    account.blockedUntil = now + PENALTY_MS * 2 ** Math.min(account.lost - 1, MOST_DOUBLINGS);
  }

  untilHeavy(address: string): number {
    const account = this.#accounts.get(address);
    return account && !isOver(account) ? Math.max(0, HEAVY_MS - account.spentMs) : HEAVY_MS;
  }

  /** Whole seconds until the address may send a request again; 0: now. */
  wait(address: string): number {
    const left = (this.#accounts.get(address)?.blockedUntil ?? 0) - performance.now();
    return left > 0 ? Math.ceil(left / 1_000) : 0;
  }

  #open(address: string): Account {
    const now = performance.now();
    const known = this.#accounts.get(address);
    if (known && !isOver(known)) return known;
    if (known) this.#accounts.delete(address);
    else if (this.#accounts.size >= MOST_ADDRESSES) this.#forget();
    const { blockedUntil = 0, lost = 0, lostAt = Number.NEGATIVE_INFINITY } = known ?? {};
    const account = { since: now, spentMs: 0, blockedUntil, lost, lostAt };
    this.#accounts.set(address, account);
    return account;
  }

  /** Evicts a tenth at a time: removed Map entries slow down iteration. Blocked addresses stay if possible. */
  #forget(): void {
    const now = performance.now();
    const forgetAll = (may: (account: Account) => boolean) => {
      for (const [address, account] of this.#accounts) {
        if (this.#accounts.size <= MOST_ADDRESSES * 0.9) return;
        if (may(account)) this.#accounts.delete(address);
      }
    };
    forgetAll(({ blockedUntil }) => blockedUntil <= now);
    if (this.#accounts.size >= MOST_ADDRESSES) forgetAll(() => true);
  }
}

const isOver = ({ since }: Account): boolean => performance.now() - since >= WINDOW_MS;
