import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresql } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { openAuthServer, PASSWORD, WIDE } from './auth-server.ts';
import { BY_NUMBER, startSmsReceiver, WIDE_SMS } from './sms-receiver.ts';

let last = 1000;

describe('SMS hook', () => {
  const database = forAllTests(() => postgresql.open({ migrated: true }));
  const sms = forAllTests(startSmsReceiver);
  beforeEach(() => {
    sms.received.length = 0;
  });
  afterEach(() => {
    sms.answers.length = 0;
  });

  const open = (settings = WIDE_SMS + BY_NUMBER + sms.settings) => openAuthServer(settings, { db: database.db });
  const newNumber = () => `49170${++last}`;

  it('receives the same message again while it responds with an error', async () => {
    await using server = await open();
    sms.answers.push(503, 429);
    await server.client().signInWithOtp({ phone: newNumber() });
    await expect.poll(() => sms.received.length).toBe(3);
    expect(new Set(sms.received.map(({ id }) => id)).size).toBe(1);
    expect(sms.problems).toEqual([]);
  });

  it('receives another request after three seconds without a response', async () => {
    await using server = await open();
    sms.answers.push('hang');
    await server.client().signInWithOtp({ phone: newNumber() });
    await expect.poll(() => sms.received.length).toBe(2);
  });

  it('receives at most three requests; a signed-in user sees the failure, a guest does not', async () => {
    await using server = await open();
    const client = server.client();
    const phone = newNumber();
    await client.signInWithOtp({ phone });
    await expect.poll(() => sms.received.length).toBe(1);
    await client.verifyOtp({ phone, token: sms.codeTo(phone), type: 'sms' });
    sms.answers.push(500, 500, 500);
    const { error } = await client.updateUser({ phone: newNumber() });
    expect(error).toMatchObject({ status: 422, code: 'sms_send_failed' });
    expect(sms.received).toHaveLength(4);
    sms.answers.push(401);
    expect((await server.call('/otp', { json: { phone: newNumber() } })).status).toBe(200);
    await expect.poll(() => sms.received.length).toBe(5);
  });

  it('receives one message per number and period, and a limited number an hour in all', async () => {
    const limited = WIDE.replace('email_sent', 'sms_sent = 2\nemail_sent');
    await using server = await open(`${limited}\n${BY_NUMBER.replace('"0s"', '"1m"')}${sms.settings}`);
    const first = newNumber();
    const request = (phone: string) => server.call('/otp', { json: { phone } });
    expect((await request(first)).status).toBe(200);
    const soon = await request(first);
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(50);
    const wait = expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/);
    const tooSoon = { error_code: 'over_sms_send_rate_limit', msg: wait };
    expect([soon.status, await soon.json()]).toMatchObject([429, tooSoon]);
    expect((await request(newNumber())).status).toBe(200);
    await expect.poll(() => sms.received.length).toBe(2);
    const refused = { error_code: 'over_sms_send_rate_limit', msg: 'SMS rate limit exceeded' };
    expect(await (await request(newNumber())).json()).toMatchObject(refused);
    expect(sms.received).toHaveLength(2);
  });

  it('is optional: without it all numbers except test numbers are refused alike', async () => {
    await using server = await open(WIDE_SMS + BY_NUMBER);
    expect(await server.refusal('/otp', { json: { phone: newNumber() } })).toEqual([422, 'sms_send_failed']);
    expect((await server.call('/otp', { json: { phone: '15550100' } })).status).toBe(200);
  });

  it('receives no request while phone sign-in is disabled', async () => {
    await using server = await open(WIDE_SMS + sms.settings);
    const calls: [string, object, number][] = [
      ['/signup', { phone: newNumber(), password: PASSWORD }, 400],
      ['/token?grant_type=password', { phone: newNumber(), password: PASSWORD }, 422],
      ['/otp', { phone: newNumber() }, 422],
      ['/resend', { type: 'sms', phone: newNumber() }, 400],
    ];
    for (const [path, json, status] of calls)
      expect(await server.refusal(path, { json }), path).toEqual([status, 'phone_provider_disabled']);
  });

  it('is not required when numbers need no confirmation', async () => {
    const unconfirmed = BY_NUMBER.replace('enable_confirmations = true', 'enable_confirmations = false');
    await using server = await open(WIDE_SMS + unconfirmed);
    const client = server.client();
    const phone = newNumber();
    expect((await client.signUp({ phone, password: PASSWORD })).data.session).not.toBeNull();
    const taken = { status: 422, code: 'user_already_exists', message: 'User already registered' };
    expect((await server.client().signUp({ phone, password: PASSWORD })).error).toMatchObject(taken);
    const other = newNumber();
    expect((await client.updateUser({ phone: other })).data.user).toMatchObject({ phone: other });
  });

  it('requires an address and a secret at startup', async () => {
    for (const [hook, problem] of [
      ['uri = "pg-functions://x"\nsecrets = "v1,whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"', 'uri'],
      ['uri = "http://127.0.0.1:1"\nsecrets = "whsec_short"', 'secrets'],
    ])
      await expect(open(`[auth.hook.send_sms]\nenabled = true\n${hook}\n`)).rejects.toThrow(problem);
  });
});
