import { FunctionsClient } from '@supabase/functions-js';
import { describe, expect, it } from 'vitest';
import { healthNames, healthWords } from '../words/health.ts';
import { faultsIn, healthFrom, readHealth, secondsApart } from './health.ts';

const at = (time: string) => Date.parse(`2027-01-01T${time}Z`);
const answer = (checks: object[] = [], now = '2027-01-01T12:00:00Z') => ({ admin: true, now, checks }) as never;

describe('health checks in words', () => {
  it('compares the clocks with a tolerance for network delay', () => {
    expect(secondsApart('2027-01-01T12:00:05Z', at('12:00:00'), at('12:00:10'))).toBe(0);
    expect(secondsApart('2027-01-01T11:59:00Z', at('12:00:00'), at('12:00:10'))).toBe(60);
    expect(secondsApart('2027-01-01T12:01:10Z', at('12:00:00'), at('12:00:10'))).toBe(60);
    expect(secondsApart('soon', 0, 0)).toBeNull();
    const stateAt = (sentAt: number) =>
      healthFrom(answer(), sentAt, sentAt + 100).checks.find(({ part }) => part === 'clock');
    expect(stateAt(at('12:00:20'))).toMatchObject({ state: 'fine' });
    expect(stateAt(at('12:02:00'))).toMatchObject({ state: 'look', mend: expect.stringContaining('date and time') });
  });

  it('counts failures as faults, but neither optional settings nor a pending first backup', () => {
    const look = (name: string, code: string) => ({ name, state: 'look', code, since: null, at: null });
    const health = (...checks: object[]) => healthFrom(answer(checks), at('12:00:00'), at('12:00:00'));
    const parts = faultsIn(
      health(look('database', 'slow'), look('mail', 'outbox'), look('secondFactor', 'off'), look('backup', 'failed')),
    ).map(({ part }) => part);
    expect(parts).toEqual(['mail', 'backup']);
    expect(faultsIn(health(look('backup', 'none')))).toEqual([]);
    expect(faultsIn(healthFrom(answer(), at('12:02:00'), at('12:02:01'))).map(({ part }) => part)).toEqual(['clock']);
  });

  it('describes each check, and omits unknown ones', () => {
    const { checks } = healthFrom(
      answer([
        { name: 'server', state: 'fine', code: 'answers', since: null, at: null },
        { name: 'mail', state: 'look', code: 'away', since: '2027-01-01T11:00:00Z', at: null },
        { name: 'mail', state: 'look', code: 'constructor', since: null, at: null },
        { name: 'toString', state: 'look', code: 'away', since: null, at: null },
        { name: 'backup', state: 'odd', code: 'elsewhere', since: null, at: null },
      ]),
      at('12:00:00'),
      at('12:00:00'),
    );
    expect(checks.map(({ part, state }) => [part, state])).toEqual([
      ['server', 'fine'],
      ['clock', 'fine'],
      ['mail', 'look'],
      ['backup', 'unknown'],
    ]);
    expect(checks[2]).toMatchObject({ ...healthWords.mail['away'], since: '2027-01-01T11:00:00Z' });
  });

  it('has a recommended fix for every state except “fine”', () => {
    for (const part of Object.keys(healthNames) as (keyof typeof healthNames)[])
      for (const [code, words] of Object.entries(healthWords[part])) expect(words.says, `${part} ${code}`).not.toBe('');
    const { database, storage, captcha, setupKey, admin } = healthWords;
    const faults = [database['silent'], storage['full'], captcha['refused'], setupKey['missing'], admin['none']];
    expect(faults.every((words) => words!.mend)).toBe(true);
  });

  it('reports an unreachable server as a result', async () => {
    const customFetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const client = new FunctionsClient('http://madhouse.test', { customFetch });
    const { admin, checks } = await readHealth(client);
    const states = checks.map(({ part, state }) => `${part} ${state}`);
    expect([admin, ...states]).toEqual([false, 'server look', 'clock unknown']);
  });
});
