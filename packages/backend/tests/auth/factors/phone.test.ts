import { decodeJwt } from 'jose';
import { beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { openAuthServer, WIDE, wrong } from '../auth-server.ts';
import { startSmsReceiver } from '../sms-receiver.ts';
import { createUser, eventsOf, openFactorsServer, signInAgain } from './factors-server.ts';

const sms = forAllTests(startSmsReceiver);
let last = 100;

const newNumber = () => `+49 171 5550${++last}`;
const settings = () => `${sms.settings}
[auth.sms]
max_frequency = "0s"
[auth.sms.test_otp]
4915550000 = "246810"
[auth.mfa.phone]
enroll_enabled = true
verify_enabled = true
max_frequency = "0s"
`;

const server = forAllTests(() => openFactorsServer(settings()));
beforeEach(() => {
  sms.received.length = 0;
});

it('phone factors are enrolled with a code sent to the number, and required at the next sign-in (AUTH-17)', async () => {
  const person = await createUser(server);
  const { client } = person;
  const factor = { factorType: 'phone', friendlyName: 'Mobile', phone: '+49 (171) 555-0001' } as const;
  const { data, error } = await client.mfa.enroll(factor);
  expect(error).toBeNull();
  expect(data).toMatchObject({ type: 'phone', friendly_name: 'Mobile', phone: '+491715550001' });
  expect(sms.received).toEqual([]);
  const challenge = await client.mfa.challenge({ factorId: data!.id, channel: 'sms' });
  expect(challenge.data).toMatchObject({ type: 'phone' });
  expect(sms.received).toMatchObject([{ user: { id: person.id }, sms: { phone: '491715550001', sms_type: 'mfa' } }]);
  const { otp: code } = sms.received[0]!.sms;
  expect(code).toMatch(/^\d{6}$/);
  expect(JSON.stringify(await server.rows('select otp_code from auth.mfa_challenges'))).not.toContain(code);
  const verify = (text: string) =>
    client.mfa.verify({ factorId: data!.id, challengeId: challenge.data!.id, code: text });
  const message = 'Invalid MFA Phone code entered';
  expect((await verify(wrong(code))).error).toMatchObject({ status: 422, code: 'mfa_verification_failed', message });
  const raised = await verify(code);
  expect(raised.error).toBeNull();
  const claims = decodeJwt(raised.data!.access_token);
  expect([claims['aal'], claims['amr']]).toMatchObject(['aal2', [{ method: 'mfa/phone' }, { method: 'password' }]]);
  expect((await verify(code)).error).toMatchObject({ code: 'mfa_factor_not_found' });
  expect((await client.mfa.listFactors()).data!.phone).toMatchObject([{ phone: '491715550001' }]);

  const again = await signInAgain(server, person);
  const second = await again.mfa.challenge({ factorId: data!.id });
  const sent = sms.received.at(-1)!.sms.otp;
  expect((await again.mfa.verify({ factorId: data!.id, challengeId: second.data!.id, code: sent })).error).toBeNull();
  expect(await eventsOf(server, person.id)).toContain('factor_verified success phone');
});

const enrolledPhone = async (phone = newNumber(), at = server) => {
  const person = await createUser(at);
  const { data, error } = await person.client.mfa.enroll({ factorType: 'phone', phone });
  if (error) throw error;
  return { ...person, factorId: data.id };
};

it('phone factors accept the newest code only', async () => {
  const { client, factorId } = await enrolledPhone();
  const first = (await client.mfa.challenge({ factorId })).data!;
  const code = sms.received.at(-1)!.sms.otp;
  await client.mfa.challenge({ factorId });
  const { error } = await client.mfa.verify({ factorId, challengeId: first.id, code });
  expect(error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
});

it('phone factors are unique per number', async () => {
  const phone = newNumber();
  const { client, factorId } = await enrolledPhone(phone);
  const again = await client.mfa.enroll({ factorType: 'phone', phone });
  expect(again.error).toBeNull();
  expect((await client.mfa.challenge({ factorId })).error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
  const challenge = (await client.mfa.challenge({ factorId: again.data!.id })).data!;
  const code = sms.received.at(-1)!.sms.otp;
  expect((await client.mfa.verify({ factorId: again.data!.id, challengeId: challenge.id, code })).error).toBeNull();
  const duplicate = await client.mfa.enroll({ factorType: 'phone', phone });
  expect(duplicate.error).toMatchObject({ status: 422, code: 'mfa_verified_factor_exists' });
});

it('phone factors reject invalid numbers and channels, and report a message that could not be sent', async () => {
  const { client, factorId } = await enrolledPhone();
  const invalid = { status: 400, code: 'validation_failed' };
  for (const phone of ['', '12', 'call me', '+0171555'])
    expect((await client.mfa.enroll({ factorType: 'phone', phone })).error).toMatchObject(invalid);
  expect((await client.mfa.challenge({ factorId, channel: 'pigeon' as 'sms' })).error).toMatchObject(invalid);
  sms.answers.push(400);
  expect((await client.mfa.challenge({ factorId })).error).toMatchObject({ status: 422, code: 'sms_send_failed' });
});

it('phone factors send nothing to test numbers, and accept the test code', async () => {
  const { client, factorId } = await enrolledPhone('+4915550000');
  expect((await client.mfa.challengeAndVerify({ factorId, code: '246810' })).error).toBeNull();
  expect(sms.received).toEqual([]);
});

it('phone factors send one message per number and period, also for several accounts', async () => {
  const slowly = WIDE + settings().replaceAll('max_frequency = "0s"', 'max_frequency = "1m"');
  await using slow = await openAuthServer(slowly, { db: server.db });
  const phone = newNumber();
  const [first, second] = [await enrolledPhone(phone, slow), await enrolledPhone(phone, slow)];
  expect((await first.client.mfa.challenge({ factorId: first.factorId })).error).toBeNull();
  const message = expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/);
  const refused = { status: 429, code: 'over_sms_send_rate_limit', message };
  for (const { client, factorId } of [first, second])
    expect((await client.mfa.challenge({ factorId })).error).toMatchObject(refused);
  expect(sms.received).toHaveLength(1);
});

it('phone factors are not offered without an SMS provider (AUTH-35)', async () => {
  const withoutSms = `${WIDE}[auth.mfa.phone]\nenroll_enabled = true\nverify_enabled = true\n`;
  await using silent = await openAuthServer(withoutSms, { db: server.db });
  const { client } = await createUser(silent);
  const { error } = await client.mfa.enroll({ factorType: 'phone', phone: newNumber() });
  expect(error).toMatchObject({ status: 422, code: 'mfa_phone_enroll_not_enabled' });
  // The account page reads this setting.
  const offered = async (at: typeof server) => (await at.call('/settings')).json();
  const factors = [true, false].map((phone) => ({ mfa: { phone } }));
  expect([await offered(server), await offered(silent)]).toMatchObject(factors);
});
