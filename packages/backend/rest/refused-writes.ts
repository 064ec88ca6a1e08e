import type { Logger } from 'pino';
import { type Database, DatabaseError, findRow, hasFunction } from '../database/database.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Exchange } from './exchange.ts';
import { Parameters } from './parse/parameters.ts';
import type { PlannedFilter, WritePlan } from './plan/plan.ts';
import { filterSql } from './sql/filter-sql.ts';
import type { BodyRows } from './sql/write-sql.ts';

const perHour = (points: number) => ({ points, seconds: 3_600 });
const MAX_RECORDS = 20;
const MAX_TOTAL_RECORDS = 1_000;
const SUM_INTERVAL_MS = 60_000;

interface RefusedWrite {
  actor: string | null;
  address: string;
  request: string;
  action: string;
  object: string | null;
  reason: string;
}

/** Audit log of rejected direct writes (PERM-14), in its own transaction, since the rejected one was rolled back. */
export class RefusedWrites {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #exists: Promise<boolean>;
  readonly #perAddress: RateLimit;
  readonly #total: RateLimit;
  readonly #sums = new Map<string, Pick<RefusedWrite, 'actor' | 'address'> & { sum: number }>();
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#perAddress = new RateLimit(perHour(MAX_RECORDS), { db, name: 'refused writes' });
    this.#total = new RateLimit(perHour(MAX_TOTAL_RECORDS), { db, name: 'all refused writes' });
    this.#exists = hasFunction(db, 'public.record_act(uuid, text, text, text, text, text)');
    this.#exists.catch(() => {});
  }

  recordRefused(exchange: Exchange, plan: WritePlan, body: BodyRows | null, error: unknown): void {
    if (!(error instanceof DatabaseError) || error.code !== '42501' || exchange.caller.role === 'service_role') return;
    this.#record(toRefusedWrite(exchange, plan, objectOf(plan, body), error.message));
  }

  /** An update or delete by key matched no row. If the row exists, the caller lacks access to it. An empty update matches none. */
  recordNoMatch(exchange: Exchange, plan: WritePlan): void {
    const isEmpty = plan.verb === 'update' && plan.columns.length === 0;
    if (isEmpty || !keyFilter(plan) || exchange.caller.role === 'service_role') return;
    const write = toRefusedWrite(exchange, plan, objectOf(plan, null), 'the row is not theirs');
    this.#runInBackground(async () => {
      const parameters = new Parameters();
      const where = plainFilters(plan)
        .map((filter) => filterSql(filter, { alias: 'hidden', wholeRow: 'hidden' }, parameters))
        .join(' and ');
      const text = `select exists (select from ${plan.table.sql} as hidden where ${where}) as found`;
      if ((await findRow<{ found: boolean }>(this.#db, text, parameters.values))!.found) this.#record(write);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#idle();
    this.#writeSums();
    await this.#idle();
  }

  async #idle(): Promise<void> {
    while (this.#writing.size) await Promise.all(this.#writing);
  }

  #record(write: RefusedWrite): void {
    this.#runInBackground(async () => {
      const isOverLimit = (await this.#perAddress.use(write.address)) > 0 || (await this.#total.use('all')) > 0;
      if (isOverLimit) this.#addToSum(write);
      else await this.#write(write);
    });
  }

  #addToSum({ actor, address }: RefusedWrite): void {
    const caller = `${actor} ${address}`;
    const hasOwnSum = this.#sums.has(caller) || this.#sums.size < MAX_RECORDS;
    const [key, summed] = hasOwnSum ? [caller, { actor, address }] : ['', { actor: null, address: '' }];
    this.#sums.set(key, { ...summed, sum: (this.#sums.get(key)?.sum ?? 0) + 1 });
    this.#timer ??= setTimeout(() => this.#writeSums(), SUM_INTERVAL_MS).unref();
  }

  #writeSums(): void {
    this.#timer = undefined;
    const sums = [...this.#sums];
    this.#sums.clear();
    for (const [key, { actor, address, sum }] of sums) {
      const action = key ? 'writes.refused' : 'writes.refused_elsewhere';
      const write = { actor, address, request: '', action, object: null, reason: `${sum} more refused` };
      this.#runInBackground(() => this.#write(write));
    }
  }

  async #write({ actor, address, request, action, object, reason }: RefusedWrite): Promise<void> {
    const settings = `select set_config('request.address', $1, true), set_config('request.id', $2, true)`;
    await this.#db.batch([
      { text: settings, values: [address, request] },
      { text: `select public.record_act($1, $2, $3, 'refused', $4)`, values: [actor, action, object, reason] },
    ]);
  }

  /** After the response, so that its time does not reveal a hidden row. */
  #runInBackground(work: () => Promise<void>): void {
    const done = this.#exists
      .then((exists) => (exists ? work() : undefined))
      .catch((error) => this.#log.warn({ err: error }, 'audit log: recording a refused write failed'))
      .finally(() => this.#writing.delete(done));
    this.#writing.add(done);
  }
}

function toRefusedWrite({ caller, request }: Exchange, plan: WritePlan, object: string | null, reason: string) {
  const { address = '', id = '' } = request.origin ?? {};
  const action = `${plan.table.name}.${plan.verb}`;
  return { actor: caller.userId, address, request: id, action, object, reason };
}

/** Without those that call a function, which would run as the owner. */
const plainFilters = ({ where }: WritePlan) =>
  where.filter((logic): logic is PlannedFilter => logic.kind === 'filter' && logic.field.computed === null);

const keyFilter = (plan: WritePlan) =>
  plainFilters(plan).find(
    ({ negated, quantifier, operator, field }) =>
      !negated &&
      quantifier === null &&
      (operator === 'eq' || operator === 'in') &&
      field.path.length === 0 &&
      plan.table.primaryKey.includes(field.column.name),
  );

function objectOf(plan: WritePlan, body: BodyRows | null): string | null {
  const key = keyFilter(plan);
  if (key) return key.list?.slice(0, 10).join(' ') ?? key.value;
  if (plan.verb !== 'insert' || !body) return null;
  const [row] = JSON.parse(body.json) as Record<string, unknown>[];
  const named = plan.table.primaryKey.map((name) => row?.[name]).filter((value) => value !== undefined);
  return named.length ? named.map(String).join(' ') : null;
}
