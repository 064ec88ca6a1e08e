import { asService } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';

type State = 'fine' | 'look' | 'unknown';

export interface Check {
  name: string;
  state: State;
  code: string;
  since: string | null;
  at: string | null;
}

type Found = Pick<Check, 'state' | 'code'> & { at?: string | null };

interface Report {
  admins: number;
  setup_key: 'closed' | 'waiting' | 'missing';
  setup_key_until: string | null;
  second_factor: boolean;
}

const PATIENCE_MS = 3_000;
const SLOW_MS = 1_000;
const LATE_MAIL_MS = 10 * 60_000;
const OLDEST_BACKUP_MS = 8 * 24 * 60 * 60_000;

const fine = (code: string, at: string | null = null): Found => ({ state: 'fine', code, at });
const look = (code: string, at: string | null = null): Found => ({ state: 'look', code, at });
const unknown = (code: string): Found => ({ state: 'unknown', code });

const seen = new Map<string, { word: string; since: string }>();

export async function checkAll(context: Context): Promise<Check[]> {
  const began = performance.now();
  const report = within(() => reportOf(context));
  const told = (read: (report: Report) => Found) => report.then(read, () => unknown('noDatabase'));
  const looks: Record<string, Promise<Found>> = {
    database: report.then(
      () => (performance.now() - began > SLOW_MS ? look('slow') : fine('answers')),
      () => look('silent'),
    ),
    storage: within(() => storage(context)).catch(() => look('silent')),
    mail: within(() => mail(context)).catch(() => look('away')),
    captcha: within(() => captcha(context)).catch(() => look('away')),
    admin: told(({ admins }) => (admins === 0 ? look('none') : fine(admins === 1 ? 'one' : 'several'))),
    setupKey: told((found) => (found.setup_key === 'closed' ? fine : look)(found.setup_key, found.setup_key_until)),
    secondFactor: told(({ second_factor }) => (second_factor ? fine('on') : look('off'))),
    backup: within(() => backup(context)).catch(() => unknown('noDatabase')),
  };
  return Promise.all(Object.entries(looks).map(async ([name, found]) => remembered(name, await found)));
}

async function reportOf(context: Context): Promise<Report> {
  const reply = await asService(context, 'POST', '/rest/v1/rpc/health_report', {});
  if (!reply.ok) throw new Error(`health_report was answered ${reply.status}`);
  return reply.body as Report;
}

async function storage(context: Context): Promise<Found> {
  const [bucket, room] = await Promise.all([
    asService(context, 'GET', '/storage/v1/bucket/case-studies'),
    context.house?.storageHasRoom() ?? true,
  ]);
  if (!bucket.ok) return look(bucket.status < 500 ? 'missing' : 'silent');
  return room ? fine('answers') : look('full');
}

async function mail(context: Context): Promise<Found> {
  if (!context.house) return unknown('hosted');
  const { carrier, reachable, since } = await context.house.mail();
  if (!reachable) return look('away');
  if (carrier === 'outbox') return look('outbox');
  return since && Date.now() - since.getTime() > LATE_MAIL_MS ? look('late', since.toISOString()) : fine('answers');
}

async function captcha(context: Context): Promise<Found> {
  if (!context.house) return unknown('hosted');
  const state = await context.house.captcha();
  return state === 'off' || state === 'works' ? fine(state) : look(state);
}

async function backup(context: Context): Promise<Found> {
  if (!context.house) return unknown('elsewhere');
  const { wholeFrom, failedAt, mayHaveNone } = await context.house.archives();
  if (failedAt) return look('failed', failedAt);
  if (!wholeFrom) return mayHaveNone ? unknown('elsewhere') : look('none');
  return Date.now() - Date.parse(wholeFrom) > OLDEST_BACKUP_MS ? look('old', wholeFrom) : fine('whole', wholeFrom);
}

export async function within<T>(work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('no answer in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function remembered(name: string, { state, code, at = null }: Found): Check {
  const word = `${state} ${code}`;
  const known = seen.get(name);
  const since = known?.word === word ? known.since : new Date().toISOString();
  seen.set(name, { word, since });
  return { name, state, code, since, at };
}
