import { type Algorithm, hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../../tests/cpu-time.ts';
import { isImportedHash, kindOfHash, PasswordHasher } from './hash.ts';

const PASSWORD = 'tangerine bicycle';
const hasher = new PasswordHasher();

describe('a password', () => {
  it('matches its own hash only', async () => {
    const own = await hasher.hash(PASSWORD);
    expect(isImportedHash(own)).toBe(false);
    expect(await hasher.matches(PASSWORD, own)).toBe(true);
    expect(await hasher.matches(`${PASSWORD}!`, own)).toBe(false);
    expect(await hasher.matches(PASSWORD, null)).toBe(false);
  });

  it.each(['$2a$', '$2b$', '$2y$'])('matches a bcrypt hash that begins with %s', async (prefix) => {
    const foreign = prefix + (await bcrypt(PASSWORD, 4)).slice(4);
    expect(isImportedHash(foreign)).toBe(true);
    expect(await hasher.matches(PASSWORD, foreign)).toBe(true);
    expect(await hasher.matches('another', foreign)).toBe(false);
  });

  it('matches a bcrypt hash of a hosted project', async () => {
    expect(await hasher.matches('U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW')).toBe(true);
  });

  it.each(['Argon2i', 'Argon2id'] as const)('matches an %s hash with other cost parameters', async (name) => {
    const algorithm = { Argon2i: 1, Argon2id: 2 }[name] as Algorithm;
    const foreign = await argon2(PASSWORD, { algorithm, memoryCost: 4096, timeCost: 3, parallelism: 2 });
    expect(isImportedHash(foreign)).toBe(true);
    expect(await hasher.matches(PASSWORD, foreign)).toBe(true);
    expect(await hasher.matches('another', foreign)).toBe(false);
  });

  it('is not truncated to the 72 bytes that bcrypt reads', async () => {
    const long = 'x'.repeat(72);
    const foreign = await bcrypt(long, 4);
    expect(await hasher.matches(long, foreign)).toBe(true);
    expect(await hasher.matches(`${long}y`, foreign)).toBe(false);
  });
});

describe('an invalid or too expensive hash', () => {
  const salt = 'c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA';
  it.each([
    ['bcrypt of cost 31', `$2b$31$${'a'.repeat(53)}`],
    ['bcrypt without a cost', `$2b$00$${'a'.repeat(53)}`],
    ['half a bcrypt hash', '$2b$10$abc'],
    ['argon2 with 1 GB of memory', `$argon2id$v=19$m=999999,t=2,p=1$${salt}`],
    ['argon2 with 90 passes', `$argon2id$v=19$m=19456,t=90,p=1$${salt}`],
    ['argon2 without memory', `$argon2id$v=19$m=1,t=1,p=1$${salt}`],
    ['argon2d', `$argon2d$v=19$m=19456,t=2,p=1$${salt}`],
    ['plain text', 'password'],
    ['an empty string', ''],
  ])('never matches and is never computed: %s', async (_, stored) => {
    expect(kindOfHash(stored)).toBeNull();
    const match = async () => expect(await hasher.matches('password', stored)).toBe(false);
    expect(await cpuTimeOf(match)).toBeLessThan(3_000);
  });
});
