import { expect, it } from 'vitest';
import { draftSecret, isDraftSecret, rememberDraft } from './draft-cookie.ts';

const PLAIN = 'http://127.0.0.1:3000';
const TLS = 'https://madhouse.example';
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const secret = (letter: string) => letter.repeat(43);

const visit = (cookie?: string) => new Request(PLAIN, cookie ? { headers: { cookie } } : {});
const cookieOf = (header: string) => header.split(';')[0]!;

it('stores the secret of a draft in a cookie for the next visit (DETAIL-17)', () => {
  const set = rememberDraft(visit(), PLAIN, id(1), secret('a'));
  expect(draftSecret(visit(`other=1; ${cookieOf(set)}`), PLAIN, id(1))).toBe(secret('a'));
  expect(draftSecret(visit(cookieOf(set)), PLAIN, id(2))).toBeNull();
});

it('hides the cookie from scripts and other sites, and uses the __Host- prefix with TLS', () => {
  const cookie = `drafts=${id(1)}.${secret('a')}; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800`;
  expect(rememberDraft(visit(), PLAIN, id(1), secret('a'))).toBe(cookie);
  expect(rememberDraft(visit(), TLS, id(1), secret('a'))).toMatch(/^__Host-drafts=.*; Secure$/);
});

it('keeps the newest five drafts, each once', () => {
  let cookie = '';
  for (const n of [1, 2, 3, 4, 5, 6, 6]) cookie = cookieOf(rememberDraft(visit(cookie), PLAIN, id(n), secret('b')));
  const known = [1, 2, 3, 4, 5, 6].filter((n) => draftSecret(visit(cookie), PLAIN, id(n)));
  expect(known).toEqual([2, 3, 4, 5, 6]);
});

it('ignores a manipulated cookie', () => {
  for (const cookie of ['drafts=', `drafts=${id(1)}.short`, `drafts=${id(1)}.${'!'.repeat(43)}`, 'drafts=~~~.~'])
    expect(draftSecret(visit(cookie), PLAIN, id(1))).toBeNull();
  expect([secret('-'), 'f'.repeat(64)].every(isDraftSecret)).toBe(true);
  const wrong = ['', secret('a').slice(1), `${secret('a')}a`, 'g'.repeat(64), `${secret('a')}\n`];
  expect(wrong.some(isDraftSecret)).toBe(false);
});
