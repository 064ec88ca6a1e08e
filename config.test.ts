import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const refusal = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('It was accepted');
};

describe('settings', () => {
  it('run the whole house without any', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      siteUrl: 'http://127.0.0.1:3000',
      mode: 'production',
      mail: { kind: 'outbox' },
    });
    expect(config.backend).toMatchObject({ kind: 'own', database: { kind: 'embedded' }, seed: 'auto' });
    expect(Object.isFrozen(config.backend)).toBe(true);
  });

  it.each([
    [{ PORT: 'abc' }, /^PORT must be a number/],
    [{ PORT: '70000' }, /^PORT must be at most 65535/],
    [{ SITE_URL: 'madhouse.example' }, /^SITE_URL must be an http or https address/],
    [{ SITE_URL: 'https://madhouse.example/home' }, /^SITE_URL must be an origin/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must start with postgres/],
    [{ JWT_SECRET: 'short' }, /^JWT_SECRET must have at least 32 characters/],
    [{ KEEP_DELETED_DAYS: '5000' }, /^KEEP_DELETED_DAYS must be at most 3650/],
    [{ KEEP_AUDIT_DAYS: '0' }, /^KEEP_AUDIT_DAYS must be at least 1/],
    [{ SEED: 'lots' }, /^SEED must be demo or none/],
    [{ SUPABASE_URL: 'https://abc.supabase.co' }, /^SUPABASE_PUBLISHABLE_KEY is missing/],
    [{ MADHOUSE_DEV: '1', HOST: '0.0.0.0' }, /^MADHOUSE_DEV is for this machine only/],
    [{ SMTP_URL: 'mail.example' }, /^SMTP_URL must start with smtp/],
  ])('refuse %j in one line that names the setting (CFG-03)', (environment, words) => {
    const message = refusal(environment as Record<string, string>);
    expect(message).toMatch(words);
    expect(message).not.toContain('\n');
  });

  it('never show a wrong secret', () => {
    expect(refusal({ SETUP_KEY: 'opensesame' })).not.toContain('opensesame');
    expect(refusal({ DATABASE_URL: 'mysql://me:hunter2@db' })).not.toContain('hunter2');
  });

  it('choose a hosted backend by its address', () => {
    const config = readConfig({
      SUPABASE_URL: 'https://abc.supabase.co',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_0123456789',
    });
    expect(config.backend).toMatchObject({ kind: 'hosted', publishableKey: 'sb_publishable_0123456789' });
  });
});
