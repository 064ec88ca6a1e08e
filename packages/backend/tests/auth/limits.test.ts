import { describe, expect, it } from 'vitest';
import { engines } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { shared } from '../../../../tests/two-machines/shared.ts';
import { sweep } from '../../auth/index.ts';
import { readProject } from '../../config/supabase-config.ts';
import { bearer, newEmail, openAuthServer, PASSWORD, signedIn, WIDE } from './auth-server.ts';

const MAILS = 'over_email_send_rate_limit';
const TWO_REQUESTS = '[auth.rate_limit]\nsign_in_sign_ups = 2\n[auth.email]\nmax_frequency = "0s"\n';
const THOUSAND_REQUESTS = '[auth.rate_limit]\nsign_in_sign_ups = 1000\n';
const database = forAllTests(() => engines[0].open({ migrated: true }));

const open = (settings: string) => openAuthServer(settings, { db: database.db });

const HOLD = "update auth.attempts set blocked_until = now() + interval '1 hour' where blocked_until is not null";
/** Extends the wait to an hour, because a busy machine may repeat the request after its first second. */
const holdWaits = () => database.db.query(HOLD);

async function refused(response: Response, code = 'over_request_rate_limit') {
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('x-sb-error-code')).toBe(code);
}

describe('rate limits', () => {
  it('slow down guesses at one account from many addresses, in the same steps for an unknown account', async () => {
    await using server = await open(WIDE);
    const email = newEmail();
    await server.client().signUp({ email, password: PASSWORD });
    for (const account of [email, newEmail()]) {
      const guess = (password: string, from: number) => {
        const headers = { 'x-test-address': `198.51.100.${from}` };
        return server.call('/token?grant_type=password', { json: { email: account, password }, headers });
      };
      const statuses: number[] = [];
      for (let count = 0; count < 11; count++) statuses.push((await guess('wrong', count)).status);
      expect(statuses).toEqual(Array(11).fill(400));
      await holdWaits();
      await refused(await guess(PASSWORD, 99));
    }
    await database.db.query("update auth.attempts set blocked_until = now() - interval '1 second'");
    expect(await server.signInError(email)).toBeNull();
    expect(await server.signInError(email, 'wrong')).toBe('invalid_credentials');
  });

  it('do not slow down an account at an address where it signed in within thirty days, despite guesses from other addresses (C19)', async () => {
    await using server = await open(WIDE);
    const email = newEmail();
    await server.service().admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const attempt = (password: string, address: string) => {
      const headers = { 'x-test-address': address };
      return server.call('/token?grant_type=password', { json: { email, password }, headers });
    };
    const OWN = '203.0.113.7';
    expect((await attempt(PASSWORD, OWN)).status).toBe(200);
    for (let count = 0; count < 11; count++) expect((await attempt('wrong', `198.51.100.${count}`)).status).toBe(400);
    await holdWaits();
    await refused(await attempt(PASSWORD, '198.51.100.99'));
    expect((await attempt(PASSWORD, OWN)).status).toBe(200);
    // The owner's sign-in does not reset the attacker's counter.
    await refused(await attempt('wrong', '198.51.100.99'));
    // The owner's address cannot guess without limit either.
    for (let count = 0; count < 11; count++) expect((await attempt('wrong', OWN)).status).toBe(400);
    await holdWaits();
    await refused(await attempt(PASSWORD, OWN));
    await database.db.query(`update auth.attempts set blocked_until = null where subject like 'password:%'`);
    expect((await attempt(PASSWORD, OWN)).status).toBe(200);
    // After thirty days the address is no longer known.
    const age = `update auth.attempts set last_failed_at = now() - interval '31 days' where subject like 'place:%'`;
    await database.db.query(age);
    await sweep(database.db, await readProject('supabase'));
    expect(await server.rows(`select from auth.attempts where subject like 'place:%'`)).toEqual([]);
    for (let count = 0; count < 11; count++) await attempt('wrong', `198.51.100.${count}`);
    await holdWaits();
    await refused(await attempt(PASSWORD, OWN));
  });

  it('reserve half of the hourly e-mails for existing accounts (C19)', async () => {
    const fourMails = WIDE.replace('email_sent = 10000', 'email_sent = 4');
    await using server = await open(`${fourMails}enable_confirmations = true\n`);
    const known = newEmail();
    await server.service().admin.createUser({ email: known, email_confirm: true });
    const addresses = [newEmail(), newEmail(), newEmail()];
    for (const email of addresses) {
      await server.call('/otp', { json: { email, create_user: true } });
      await server.settled();
    }
    await server.lastEmailTo(addresses[1]!);
    await expect(server.lastEmailTo(addresses[2]!)).rejects.toThrow('No e-mail');
    // Both get the same response, whether or not the address has an account.
    for (const email of [known, newEmail()])
      await refused(await server.call('/signup', { json: { email, password: PASSWORD } }), MAILS);
    expect((await server.call('/recover', { json: { email: known } })).status).toBe(200);
    expect((await server.lastEmailTo(known)).type).toBe('recovery');
  });

  it('count requests that send e-mails per IPv6 prefix of a customer (C19)', async () => {
    await using server = await open(TWO_REQUESTS);
    const request = (network: string) => {
      const headers = { 'x-test-address': `2001:db8:0:${network}::/64` };
      return server.call('/recover', { json: { email: newEmail() }, headers });
    };
    for (const network of ['1200', '12ff']) expect((await request(network)).status).toBe(200);
    await refused(await request('1234'));
    expect((await request('1300')).status).toBe(200);
  });

  it('send one e-mail a minute to a mailbox, without disclosing whether it has an account', async () => {
    await using server = await open(THOUSAND_REQUESTS);
    const email = newEmail();
    await server.service().admin.createUser({ email, email_confirm: true });
    for (const address of [email, newEmail()]) {
      expect((await server.call('/recover', { json: { email: address } })).status).toBe(200);
      const second = await server.call('/recover', { json: { email: address } });
      const { msg } = (await second.clone().json()) as { msg: string };
      await refused(second, MAILS);
      expect(msg).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    }
  });

  it('count a change of address among the e-mails of a client', async () => {
    await using server = await open(`${TWO_REQUESTS}enable_confirmations = true\n`);
    const request = async (address: string) => {
      const { session } = await signedIn(server);
      const headers = { ...bearer(session.access_token), 'x-test-address': address };
      return server.call('/user', { json: { email: newEmail() }, method: 'PUT', headers });
    };
    const recover = () =>
      server.call('/recover', { json: { email: newEmail() }, headers: { 'x-test-address': '198.51.100.7' } });
    expect((await recover()).status).toBe(200);
    expect((await request('198.51.100.7')).status).toBe(200);
    await refused(await request('198.51.100.7'));
    expect((await request('198.51.100.8')).status).toBe(200);
    await refused(await recover());
  });

  it('send a change of address once a minute to each of its two mailboxes', async () => {
    await using server = await open(`${THOUSAND_REQUESTS}[auth.email]\nenable_confirmations = true\n`);
    const resend = (email: string) => server.call('/resend', { json: { type: 'email_change', email } });
    const change = 'update auth.users set email_change = $2, email_change_sent_at = now() where email = $1';
    const waitFor = (old: string, target: string) => database.db.query(change, [old, target]);
    const [old, target, other, wanted] = [newEmail(), newEmail(), newEmail(), newEmail()];
    for (const email of [old, other]) await server.service().admin.createUser({ email, email_confirm: true });
    await waitFor(old, target);
    expect((await resend(old)).status).toBe(200);
    await server.lastEmailTo(old);
    await server.lastEmailTo(target);
    await refused(await resend(target), MAILS);

    expect((await resend(wanted)).status).toBe(200);
    await server.settled();
    await waitFor(other, wanted);
    expect((await resend(other)).status).toBe(200);
    await server.lastEmailTo(other);
    await expect(server.lastEmailTo(wanted)).rejects.toThrow('No e-mail');
  });

  // Not with two machines: the queue is per process.
  it.skipIf(shared)('respond 503 when too many passwords wait to be checked, and recover afterwards', async () => {
    await using server = await open(WIDE);
    const signUp = () => server.call('/signup', { json: { email: newEmail(), password: PASSWORD } });
    const answers = await Promise.all(Array.from({ length: 90 }, signUp));
    expect(answers.find(({ status }) => status === 503)!.headers.get('retry-after')).toBe('2');
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect((await server.client().signUp({ email: newEmail(), password: PASSWORD })).error).toBeNull();
  });
});
