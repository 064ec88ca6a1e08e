import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { DatabaseError } from '../database/database.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Exchange } from './exchange.ts';
import { Parameters } from './parse/parameters.ts';
import type { PlannedFilter, WritePlan } from './plan/plan.ts';
import { filterSql } from './sql/filter.ts';
import type { BodyRows } from './sql/write.ts';

const HOUR_SECONDS = 3_600;
/** Lines an hour for one address, and for all together; further refusals are counted in one line. */
const LINES = 20;
const LINES_IN_ALL = 1_000;
/** Milliseconds for which refusals are counted before the sum is written. */
const ADD_UP_MS = 60_000;

interface Act {
  actor: string | null;
  address: string;
  request: string;
  action: string;
  object: string | null;
  reason: string;
}

/**
 * Records a refused direct write in the audit log (PERM-14), in a transaction of its own: the refused one was rolled
 * back. Does nothing in projects without `record_act()`.
 */
export class RefusedWrites {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #exists: Promise<boolean>;
  readonly #lines: RateLimit;
  readonly #linesInAll: RateLimit;
  /** By account and address. */
  readonly #addedUp = new Map<string, Pick<Act, 'actor' | 'address'> & { sum: number }>();
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#lines = new RateLimit({ points: LINES, seconds: HOUR_SECONDS }, { db, name: 'refused writes' });
    this.#linesInAll = new RateLimit(
      { points: LINES_IN_ALL, seconds: HOUR_SECONDS },
      { db, name: 'all refused writes' },
    );
    this.#exists = db
      .query<{ found: boolean }>(
        `select to_regprocedure('public.record_act(uuid, text, text, text, text, text)') is not null as found`,
      )
      .then(({ rows }) => rows[0]!.found);
    this.#exists.catch(() => {});
  }

  /** A write was refused for a missing right. */
  refused(exchange: Exchange, plan: WritePlan, body: BodyRows | null, error: unknown): void {
    if (!(error instanceof DatabaseError) || error.code !== '42501' || exchange.caller.role === 'service_role') return;
    this.#note(actOf(exchange, plan, objectOf(plan, body), error.message));
  }

  /** A change or deletion by key matched no row. If the row exists, it was not the caller's. */
  reachedNothing(exchange: Exchange, plan: WritePlan): void {
    const key = keyFilter(plan);
    if (!key || exchange.caller.role === 'service_role') return;
    const act = actOf(exchange, plan, objectOf(plan, null), 'the row is not theirs');
    this.#inBackground(async () => {
      const parameters = new Parameters();
      const where = filterSql(key, { alias: 'hidden', wholeRow: 'hidden' }, parameters);
      const { rows } = await this.#db.query<{ found: boolean }>(
        `select exists (select from ${plan.table.sql} as hidden where ${where}) as found`,
        parameters.values,
      );
      if (rows[0]!.found) this.#note(act);
    });
  }

  /** Writes the sums so far. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#settled();
    this.#writeSums();
    await this.#settled();
  }

  /** Background writes may add further ones. */
  async #settled(): Promise<void> {
    while (this.#writing.size) await Promise.all(this.#writing);
  }

  #note(act: Act): void {
    this.#inBackground(async () => {
      const isOver = (await this.#lines.use(act.address)) > 0 || (await this.#linesInAll.use('all')) > 0;
      if (isOver) this.#addUp(act);
      else await this.#write(act);
    });
  }

  #addUp({ actor, address }: Act): void {
    const caller = `${actor} ${address}`;
    // Beyond so many callers they share one sum.
    const own = this.#addedUp.has(caller) || this.#addedUp.size < LINES;
    const key = own ? caller : '';
    const known = this.#addedUp.get(key) ?? { ...(own ? { actor, address } : { actor: null, address: '' }), sum: 0 };
    this.#addedUp.set(key, { ...known, sum: known.sum + 1 });
    this.#timer ??= setTimeout(() => this.#writeSums(), ADD_UP_MS).unref();
  }

  #writeSums(): void {
    this.#timer = undefined;
    const sums = [...this.#addedUp];
    this.#addedUp.clear();
    for (const [key, { actor, address, sum }] of sums) {
      const action = key ? 'writes.refused' : 'writes.refused_elsewhere';
      const act = { actor, address, request: '', action, object: null, reason: `${sum} more refused` };
      this.#inBackground(() => this.#write(act));
    }
  }

  async #write({ actor, address, request, action, object, reason }: Act): Promise<void> {
    await this.#db.batch([
      {
        text: `select set_config('request.address', $1, true), set_config('request.id', $2, true)`,
        values: [address, request],
      },
      { text: `select public.record_act($1, $2, $3, 'refused', $4)`, values: [actor, action, object, reason] },
    ]);
  }

  /** After the response, so that its time does not reveal a hidden row. */
  #inBackground(work: () => Promise<void>): void {
    const done = this.#exists
      .then((exists) => (exists ? work() : undefined))
      .catch((error) => this.#log.warn({ err: error }, 'audit log: recording a refused write failed'))
      .finally(() => this.#writing.delete(done));
    this.#writing.add(done);
  }
}

const actOf = ({ caller, request }: Exchange, plan: WritePlan, object: string | null, reason: string): Act => ({
  actor: caller.userId,
  address: request.origin?.address ?? '',
  request: request.origin?.id ?? '',
  action: `${plan.table.name}.${plan.verb}`,
  object,
  reason,
});

/** The filter that names rows by their key, when there is one. */
function keyFilter({ table, where }: WritePlan): PlannedFilter | undefined {
  return where.find(
    (logic): logic is PlannedFilter =>
      logic.kind === 'filter' &&
      !logic.negated &&
      logic.quantifier === null &&
      (logic.operator === 'eq' || logic.operator === 'in') &&
      logic.field.path.length === 0 &&
      logic.field.computed === null &&
      table.primaryKey.includes(logic.field.column.name),
  );
}

/** The key in the filter, or that of the first row to be inserted. */
function objectOf(plan: WritePlan, body: BodyRows | null): string | null {
  const key = keyFilter(plan);
  if (key) return key.list?.slice(0, 10).join(' ') ?? key.value;
  if (plan.verb !== 'insert' || !body) return null;
  const [row] = JSON.parse(body.json) as Record<string, unknown>[];
  const named = plan.table.primaryKey.map((name) => row?.[name]).filter((value) => value !== undefined);
  return named.length ? named.map(String).join(' ') : null;
}
