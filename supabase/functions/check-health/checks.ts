import { asService } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';

export interface Check {
  name: string;
  state: 'fine' | 'look' | 'unknown';
  code: string;
  since: string | null;
  at: string | null;
}

type Result = Pick<Check, 'state' | 'code'> & { at?: string | null };

interface Report {
  admins: number;
  setup_key: 'closed' | 'waiting' | 'missing';
  setup_key_until: string | null;
  second_factor: boolean;
}

const TIMEOUT_MS = 3_000;
const SLOW_MS = 1_000;
const MAX_MAIL_AGE_MS = 10 * 60_000;
const MAX_BACKUP_AGE_MS = 8 * 24 * 60 * 60_000;

const ok = (code: string, at: string | null = null): Result => ({ state: 'fine', code, at });
const look = (code: string, at: string | null = null): Result => ({ state: 'look', code, at });
const unknown = (code: string): Result => ({ state: 'unknown', code });

const lastResults = new Map<string, { value: string; since: string }>();

export async function checkAll(context: Context): Promise<Check[]> {
  const startedAt = performance.now();
  const report = withTimeout(() => fetchReport(context));
  const fromReport = (read: (report: Report) => Result) => report.then(read, () => unknown('noDatabase'));
  const checks: Record<string, Promise<Result>> = {
    database: report.then(
      () => (performance.now() - startedAt > SLOW_MS ? look('slow') : ok('answers')),
      () => look('silent'),
    ),
    storage: withTimeout(() => storage(context)).catch(() => look('silent')),
    mail: withTimeout(() => mail(context)).catch(() => look('away')),
    captcha: withTimeout(() => captcha(context)).catch(() => look('away')),
    admin: fromReport(({ admins }) => (admins === 0 ? look('none') : ok(admins === 1 ? 'one' : 'several'))),
    setupKey: fromReport((found) => (found.setup_key === 'closed' ? ok : look)(found.setup_key, found.setup_key_until)),
    secondFactor: fromReport(({ second_factor }) => (second_factor ? ok('on') : look('off'))),
    backup: withTimeout(() => backup(context)).catch(() => unknown('noDatabase')),
  };
  return Promise.all(Object.entries(checks).map(async ([name, found]) => withSince(name, await found)));
}

async function fetchReport(context: Context): Promise<Report> {
  const reply = await asService(context, 'POST', '/rest/v1/rpc/health_report', {});
  if (!reply.ok) throw new Error(`health_report returned ${reply.status}`);
  return reply.body as Report;
}

async function storage(context: Context): Promise<Result> {
  const [bucket, room] = await Promise.all([
    asService(context, 'GET', '/storage/v1/bucket/case-studies'),
    context.host?.storageHasRoom() ?? true,
  ]);
  if (!bucket.ok) return look(bucket.status < 500 ? 'missing' : 'silent');
  return room ? ok('answers') : look('full');
}

async function mail(context: Context): Promise<Result> {
  if (!context.host) return unknown('hosted');
  const { carrier, reachable, since } = await context.host.mail();
  if (!reachable) return look('away');
  if (carrier === 'outbox') return look('outbox');
  return since && Date.now() - since.getTime() > MAX_MAIL_AGE_MS ? look('late', since.toISOString()) : ok('answers');
}

async function captcha(context: Context): Promise<Result> {
  if (!context.host) return unknown('hosted');
  const state = await context.host.captcha();
  return state === 'off' || state === 'works' ? ok(state) : look(state);
}

async function backup(context: Context): Promise<Result> {
  if (!context.host) return unknown('elsewhere');
  const { wholeFrom, failedAt, mayHaveNone } = await context.host.archives();
  if (failedAt) return look('failed', failedAt);
  if (!wholeFrom) return mayHaveNone ? unknown('elsewhere') : look('none');
  return Date.now() - Date.parse(wholeFrom) > MAX_BACKUP_AGE_MS ? look('old', wholeFrom) : ok('whole', wholeFrom);
}

export async function withTimeout<T>(work: () => Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no response in time')), TIMEOUT_MS);
  return Promise.race([work(), timeout]).finally(() => clearTimeout(timer));
}

function withSince(name: string, { state, code, at = null }: Result): Check {
  const value = `${state} ${code}`;
  const previous = lastResults.get(name);
  const since = previous?.value === value ? previous.since : new Date().toISOString();
  lastResults.set(name, { value, since });
  return { name, state, code, since, at };
}
