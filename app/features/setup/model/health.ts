import type { FunctionsClient } from '@supabase/functions-js';
import { callFunction } from '#lib/data/server-function.ts';
import { type CheckWords, type HealthPart, healthNames, healthWords } from '../words/health.ts';

export type HealthState = 'fine' | 'look' | 'unknown';

/** `since`: when the server first observed this state. */
type Times = { since: string | null; at: string | null };

export type HealthCheck = CheckWords & Times & { part: HealthPart; state: HealthState; code: string };

export type Health = { admin: boolean; checks: HealthCheck[] };

type HealthAnswer = { admin: boolean; now: string; checks: (Times & { name: string; state: string; code: string })[] };

const FAULTS: readonly HealthPart[] = ['mail', 'storage', 'captcha', 'backup', 'clock'];

/** Checks that failed, without optional settings and a pending first backup. */
export const faultsIn = ({ checks }: Health): HealthCheck[] =>
  checks.filter(({ part, state, code }) => state === 'look' && FAULTS.includes(part) && code !== 'none');

// Tolerance for network delay; signed requests are valid for longer.
const MAX_SECONDS = 30;

/** Reads the health and compares clocks. Never throws: no response is a result too. */
export async function readHealth(functions: FunctionsClient): Promise<Health> {
  const sentAt = Date.now();
  try {
    const answer = await callFunction<HealthAnswer>(functions, 'check-health', {});
    return healthFrom(answer, sentAt, Date.now());
  } catch {
    return { admin: false, checks: [checkOf('server', 'look', 'silent'), checkOf('clock', 'unknown', 'unknown')] };
  }
}

export function healthFrom(answer: Partial<HealthAnswer>, sentAt: number, answeredAt: number): Health {
  const checks = (answer.checks ?? []).flatMap(({ name, state, code, since, at }) =>
    isPart(name) && Object.hasOwn(healthWords[name], code) ? [checkOf(name, stateOf(state), code, { since, at })] : [],
  );
  const seconds = secondsApart(answer.now ?? '', sentAt, answeredAt);
  const clock =
    seconds === null
      ? checkOf('clock', 'unknown', 'unknown')
      : checkOf('clock', seconds > MAX_SECONDS ? 'look' : 'fine', seconds > MAX_SECONDS ? 'wrong' : 'right');
  const [server = checkOf('server', 'look', 'silent'), ...rest] = checks;
  return { admin: answer.admin === true, checks: [server, clock, ...rest] };
}

/** Smallest possible clock difference, because the server read its clock between request and response. */
export function secondsApart(server: string, sentAt: number, answeredAt: number): number | null {
  const serverTime = Date.parse(server);
  if (Number.isNaN(serverTime)) return null;
  const difference = serverTime < sentAt ? sentAt - serverTime : serverTime > answeredAt ? serverTime - answeredAt : 0;
  return Math.round(difference / 1000);
}

const isPart = (name: string): name is HealthPart => Object.hasOwn(healthNames, name);
const stateOf = (state: string): HealthState => (state === 'fine' || state === 'look' ? state : 'unknown');

function checkOf(part: HealthPart, state: HealthState, code: string, times?: Times): HealthCheck {
  return { part, state, code, ...healthWords[part][code]!, since: times?.since ?? null, at: times?.at ?? null };
}
