import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type House, openHouse, openTestDatabase, WIDE } from './house.ts';
import { BY_NUMBER, type SmsReceiver, startSmsReceiver, WIDE_SMS } from './sms-receiver.ts';

const PASSWORD = 'tangerine bicycle';

let last = 1000;

describe('the sender of messages', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let sms: SmsReceiver;
  beforeAll(async () => {
    database = await openTestDatabase();
    sms = await startSmsReceiver();
  });
  afterAll(async () => {
    await database?.close();
    await sms?.close();
  });
  beforeEach(() => {
    sms.received.length = 0;
  });
  afterEach(() => {
    sms.answers.length = 0;
  });

  async function within(settings: string, work: (house: House) => Promise<void>) {
    const house = await openHouse(database.db, settings);
    try {
      await work(house);
    } finally {
      await house.close();
    }
  }

  const inHouse = (work: (house: House) => Promise<void>) => within(WIDE_SMS + BY_NUMBER + sms.settings, work);
  const nobody = () => `49170${++last}`;

  it('is asked again, with the same message, while it cannot take one', () =>
    inHouse(async (house) => {
      sms.answers.push(503, 429);
      await house.client().signInWithOtp({ phone: nobody() });
      await expect.poll(() => sms.received.length).toBe(3);
      expect(new Set(sms.received.map(({ id }) => id)).size).toBe(1);
      expect(sms.problems).toEqual([]);
    }));

  it('is asked again when it says nothing for three seconds', () =>
    inHouse(async (house) => {
      sms.answers.push('hang');
      await house.client().signInWithOtp({ phone: nobody() });
      await expect.poll(() => sms.received.length).toBe(2);
    }));

  it('is left alone after three tries; whoever waits signed in is told, whoever asks from outside is not', () =>
    inHouse(async (house) => {
      const client = house.client();
      const phone = nobody();
      await client.signInWithOtp({ phone });
      await expect.poll(() => sms.received.length).toBe(1);
      await client.verifyOtp({ phone, token: sms.codeTo(phone), type: 'sms' });
      sms.answers.push(500, 500, 500);
      expect((await client.updateUser({ phone: nobody() })).error).toMatchObject({
        status: 422,
        code: 'sms_send_failed',
      });
      expect(sms.received).toHaveLength(4);
      sms.answers.push(401);
      const response = await house.call('/otp', { json: { phone: nobody() } });
      expect(response.status).toBe(200);
      await expect.poll(() => sms.received.length).toBe(5);
    }));

  it('gets one message per number and pause, and so many an hour in all', () =>
    within(
      `${WIDE.replace('email_sent', 'sms_sent = 2\nemail_sent')}\n${BY_NUMBER.replace('"0s"', '"1m"')}${sms.settings}`,
      async (house) => {
        const first = nobody();
        const ask = (phone: string) => house.call('/otp', { json: { phone } });
        expect((await ask(first)).status).toBe(200);
        const soon = await ask(first);
        expect(soon.status).toBe(429);
        expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(50);
        expect(await soon.json()).toMatchObject({
          error_code: 'over_sms_send_rate_limit',
          msg: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
        });
        expect((await ask(nobody())).status).toBe(200);
        await expect.poll(() => sms.received.length).toBe(2);
        const over = await ask(nobody());
        expect(await over.json()).toMatchObject({
          error_code: 'over_sms_send_rate_limit',
          msg: 'SMS rate limit exceeded',
        });
        expect(sms.received).toHaveLength(2);
      },
    ));

  it('may be missing: then numbers are refused alike, except those of a test', () =>
    within(WIDE_SMS + BY_NUMBER, async (house) => {
      const response = await house.call('/otp', { json: { phone: nobody() } });
      expect([response.status, await response.json()]).toMatchObject([422, { error_code: 'sms_send_failed' }]);
      expect((await house.call('/otp', { json: { phone: '15550100' } })).status).toBe(200);
    }));

  it('is not asked at all while sign-in by number is off', () =>
    within(WIDE_SMS + sms.settings, async (house) => {
      const calls: [string, object, number][] = [
        ['/signup', { phone: nobody(), password: PASSWORD }, 400],
        ['/token?grant_type=password', { phone: nobody(), password: PASSWORD }, 422],
        ['/otp', { phone: nobody() }, 422],
        ['/resend', { type: 'sms', phone: nobody() }, 400],
      ];
      for (const [path, json, status] of calls) {
        const response = await house.call(path, { json });
        expect([path, response.status, await response.json()]).toMatchObject([
          path,
          status,
          { error_code: 'phone_provider_disabled' },
        ]);
      }
    }));

  it('is not needed when numbers count without a code', () =>
    within(
      WIDE_SMS + BY_NUMBER.replace('enable_confirmations = true', 'enable_confirmations = false'),
      async (house) => {
        const client = house.client();
        const phone = nobody();
        const { data } = await client.signUp({ phone, password: PASSWORD });
        expect(data.session).not.toBeNull();
        expect((await house.client().signUp({ phone, password: PASSWORD })).error).toMatchObject({
          status: 422,
          code: 'user_already_exists',
          message: 'User already registered',
        });
        const other = nobody();
        expect((await client.updateUser({ phone: other })).data.user).toMatchObject({ phone: other });
      },
    ));

  it('has to have an address and a secret before the server starts', async () => {
    for (const [hook, problem] of [
      ['uri = "pg-functions://x"\nsecrets = "v1,whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"', 'uri'],
      ['uri = "http://127.0.0.1:1"\nsecrets = "whsec_short"', 'secrets'],
    ])
      await expect(openHouse(database.db, `[auth.hook.send_sms]\nenabled = true\n${hook}\n`)).rejects.toThrow(problem);
  });
});
