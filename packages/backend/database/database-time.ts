import { limits } from '../config/config.ts';

const WINDOW_MS = limits.databaseTime.seconds * 1000;
const HEAVY_MS = 500;
/** Initial penalty, doubling, for a statement that could only be ended by restarting the engine. */
const PENALTY_MS = 60_000;
const MAX_DOUBLINGS = 6;
const MAX_ADDRESSES = 10_000;

type Budget = { windowStart: number; spentMs: number; blockedUntil: number; restarts: number; restartedAt: number };

export class DatabaseTime {
  readonly #budgets = new Map<string, Budget>();
  readonly #allowedMs: number | null;

  constructor(allowedMs: number | null) {
    this.#allowedMs = allowedMs;
  }

  charge(address: string, ms: number): void {
    const budget = this.#budgetOf(address);
    budget.spentMs += ms;
    if (this.#allowedMs !== null && budget.spentMs >= this.#allowedMs)
      budget.blockedUntil = Math.max(budget.blockedUntil, budget.windowStart + WINDOW_MS);
  }

  penalize(address: string): void {
    const budget = this.#budgetOf(address);
    const now = performance.now();
    budget.restarts = now - budget.restartedAt > PENALTY_MS * 2 ** MAX_DOUBLINGS ? 1 : budget.restarts + 1;
    budget.restartedAt = now;
    budget.blockedUntil = now + PENALTY_MS * 2 ** Math.min(budget.restarts - 1, MAX_DOUBLINGS);
  }

  msUntilHeavy(address: string): number {
    const budget = this.#budgets.get(address);
    return budget && !isExpired(budget) ? Math.max(0, HEAVY_MS - budget.spentMs) : HEAVY_MS;
  }

  /** Whole seconds until the address may send a request again; 0: now. */
  secondsBlocked(address: string): number {
    const remainingMs = (this.#budgets.get(address)?.blockedUntil ?? 0) - performance.now();
    return remainingMs > 0 ? Math.ceil(remainingMs / 1_000) : 0;
  }

  #budgetOf(address: string): Budget {
    const existing = this.#budgets.get(address);
    if (existing && !isExpired(existing)) return existing;
    if (existing) this.#budgets.delete(address);
    else if (this.#budgets.size >= MAX_ADDRESSES) this.#evict();
    const { blockedUntil = 0, restarts = 0, restartedAt = Number.NEGATIVE_INFINITY } = existing ?? {};
    const budget = { windowStart: performance.now(), spentMs: 0, blockedUntil, restarts, restartedAt };
    this.#budgets.set(address, budget);
    return budget;
  }

  /** Evicts a tenth at a time: removed Map entries slow down iteration. Blocked addresses stay if possible. */
  #evict(): void {
    const now = performance.now();
    const evictWhile = (canEvict: (budget: Budget) => boolean) => {
      for (const [address, budget] of this.#budgets) {
        if (this.#budgets.size <= MAX_ADDRESSES * 0.9) return;
        if (canEvict(budget)) this.#budgets.delete(address);
      }
    };
    evictWhile(({ blockedUntil }) => blockedUntil <= now);
    if (this.#budgets.size >= MAX_ADDRESSES) evictWhile(() => true);
  }
}

const isExpired = ({ windowStart }: Budget): boolean => performance.now() - windowStart >= WINDOW_MS;
