import type { FunctionsClient } from '@supabase/functions-js';
import { type HealthPart, healthNames, healthWords } from '../../copy/admin/health.ts';
import { callFunction } from '../data/server-function.ts';

export type HealthState = 'fine' | 'look' | 'unknown';

/** One part, as a person reads it. */
export interface HealthCheck {
  part: HealthPart;
  state: HealthState;
  code: string;
  says: string;
  mend: string | null;
  /** When the server first saw it so. */
  since: string | null;
  /** A moment that belongs to it. */
  at: string | null;
}

export interface Health {
  /** Whether the server told everything, as it does to admins. */
  admin: boolean;
  checks: HealthCheck[];
}

interface Told {
  admin: boolean;
  now: string;
  checks: { name: string; state: string; code: string; since: string | null; at: string | null }[];
}

// Networks are late now and then; signed times are believed for longer than this.
const MOST_SECONDS = 30;

/** Asks the server how it is and compares clocks. Never throws: no answer is an answer too. */
export async function readHealth(functions: FunctionsClient, now: () => number = Date.now): Promise<Health> {
  const asked = now();
  try {
    const told = await callFunction<Told>(functions, 'check-health', {});
    return healthFrom(told, asked, now());
  } catch {
    return { admin: false, checks: [checkOf('server', 'look', 'silent'), checkOf('clock', 'unknown', 'unknown')] };
  }
}

/**
 * What an answer means.
 * @param asked this device's time when it asked, in ms
 * @param answered and when the answer was there
 */
export function healthFrom(told: Partial<Told>, asked: number, answered: number): Health {
  const checks = (told.checks ?? []).flatMap(({ name, state, code, since, at }) =>
    isPart(name) && Object.hasOwn(healthWords[name], code) ? [checkOf(name, stateOf(state), code, since, at)] : [],
  );
  const seconds = secondsApart(told.now ?? '', asked, answered);
  const clock =
    seconds === null
      ? checkOf('clock', 'unknown', 'unknown')
      : checkOf('clock', seconds > MOST_SECONDS ? 'look' : 'fine', seconds > MOST_SECONDS ? 'wrong' : 'right');
  const [server = checkOf('server', 'look', 'silent'), ...rest] = checks;
  return { admin: told.admin === true, checks: [server, clock, ...rest] };
}

/** How far the server's clock is from this device's, at best: it was read while the question was on its way. */
export function secondsApart(server: string, asked: number, answered: number): number | null {
  const there = Date.parse(server);
  if (Number.isNaN(there)) return null;
  const apart = there < asked ? asked - there : there > answered ? there - answered : 0;
  return Math.round(apart / 1000);
}

const isPart = (name: string): name is HealthPart => Object.hasOwn(healthNames, name);
const stateOf = (state: string): HealthState => (state === 'fine' || state === 'look' ? state : 'unknown');

const checkOf = (
  part: HealthPart,
  state: HealthState,
  code: string,
  since: string | null = null,
  at: string | null = null,
): HealthCheck => ({ part, state, code, ...healthWords[part][code]!, since, at });
