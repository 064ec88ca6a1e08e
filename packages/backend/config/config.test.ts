import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

const CLI_SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';

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
  it('start a complete installation when none is set', () => {
    const config = readConfig({});
    const server = { host: '127.0.0.1', port: 3000, siteUrl: 'http://127.0.0.1:3000', mode: 'production' };
    expect(config).toMatchObject({ ...server, mail: { kind: 'outbox' }, diskReserve: 1024 ** 3 });
    const uploads = { files: 50, seconds: 3600, officeNetworks: [] };
    expect(config.backend).toMatchObject({ kind: 'own', database: { kind: 'embedded' }, seed: 'auto', uploads });
    expect(Object.isFrozen(config.backend)).toBe(true);
  });

  it.each([
    [{ PORT: 'abc' }, /^PORT must be a number/],
    [{ PORT: '70000' }, /^PORT must be at most 65535/],
    [{ SITE_URL: 'madhouse.example' }, /^SITE_URL must be an http or https address/],
    [{ SITE_URL: 'https://madhouse.example/home' }, /^SITE_URL must be an origin/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must start with postgres/],
    [{ JWT_SECRET: 'short' }, /^JWT_SECRET must have at least 32 characters/],
    [{ JWT_SECRET: CLI_SECRET }, /^JWT_SECRET is the one that the Supabase CLI gives to every project/],
    [{ KEEP_DELETED_DAYS: '5000' }, /^KEEP_DELETED_DAYS must be at most 3650/],
    [{ KEEP_AUDIT_DAYS: '0' }, /^KEEP_AUDIT_DAYS must be at least 1/],
    [{ KEEP_BYTES_DAYS: '0' }, /^KEEP_BYTES_DAYS must be at least 1/],
    [{ S3_URL: 's3.example.com' }, /^S3_URL must be an http or https address/],
    [{ S3_URL: 'https://s3.example.com', S3_BUCKET: 'bucket' }, /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY missing/],
    [{ S3_PREFIX: 'prefix' }, /^S3_URL and S3_BUCKET and S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY missing/],
    [{ S3_SECRET_ACCESS_KEY_FILE: '/nowhere' }, /^S3_SECRET_ACCESS_KEY_FILE names \/nowhere, which .* \(ENOENT\)/],
    [{ S3_ACCESS_KEY_ID: 'a', S3_ACCESS_KEY_ID_FILE: 'b' }, /^S3_ACCESS_KEY_ID and .*_FILE cannot both be set/],
    [{ SEED: 'lots' }, /^SEED must be demo, project or none/],
    [{ SUPABASE_URL: 'https://abc.supabase.co' }, /^SUPABASE_PUBLISHABLE_KEY is missing/],
    [{ MADHOUSE_DEV: '1', HOST: '0.0.0.0' }, /^MADHOUSE_DEV requires a loopback HOST/],
    [{ SMTP_URL: 'mail.example' }, /^SMTP_URL must start with smtp/],
    [{ SMTP_URL: 'smtps://me:pa#ss@mail.example' }, /^SMTP_URL must be a valid address: .* %23/],
    [{ REQUEST_LOG: 'yes' }, /^REQUEST_LOG must be on or off/],
    [{ METRICS: '9100' }, /^METRICS must be an address and a port/],
    [{ METRICS: 'localhost:0' }, /^METRICS must be an address and a port/],
    [{ UPLOAD_FILES: '0' }, /^UPLOAD_FILES must be at least 1/],
    [{ UPLOAD_SECONDS: '90000' }, /^UPLOAD_SECONDS must be at most 86400/],
    [{ OFFICE_NETWORKS: '203.0.113.7, office' }, /^OFFICE_NETWORKS must be addresses or networks/],
    [{ OFFICE_NETWORKS: '203.0.113.0/33' }, /^OFFICE_NETWORKS must be addresses or networks/],
    [{ OFFICE_NETWORKS: '2001:db8::/65' }, /^OFFICE_NETWORKS must be addresses or networks/],
    [{ CDN_SECONDS: '-1' }, /^CDN_SECONDS must be at least 0/],
    [{ CDN_SECONDS: '100000' }, /^CDN_SECONDS must be at most 86400/],
    [{ DATABASE_URL: 'postgres://a', DATABASE_URL_FILE: '/a' }, /^DATABASE_URL and .*_FILE cannot both be set/],
    [{ JWT_SECRET_FILE: '/no/file' }, /^JWT_SECRET_FILE names \/no\/file, which cannot be read \(ENOENT\)/],
    [{ WORKERS: 'many' }, /^WORKERS must be auto or a number from 1 to 256/],
    [{ WORKERS: '4' }, /^WORKERS is 4, but the embedded database supports one process\. Set DATABASE_URL/],
    [{ WORKERS: '2', DATABASE_URL: 'postgres://x', NODE_ENV: 'development' }, /^WORKERS applies to "npm start"/],
    [{ DATABASE_SESSIONS: '1', DATABASE_URL: 'postgres://x' }, /^DATABASE_SESSIONS must be at least 2/],
    [{ DATABASE_DIRECT_URL: 'postgres://x' }, /^DATABASE_DIRECT_URL is set without DATABASE_URL/],
    [{ MIGRATE: 'later' }, /^MIGRATE must be auto or never/],
  ])('refuse %j in one line that names the setting (CFG-03)', (environment, words) => {
    const message = refusal(environment as Record<string, string>);
    expect(message).toMatch(words);
    expect(message).not.toContain('\n');
  });

  it('run one process, or WORKERS processes with a PostgreSQL server', () => {
    expect(readConfig({}).workers).toBe(1);
    const many = { WORKERS: '4', DATABASE_URL: 'postgres://pooler', DATABASE_DIRECT_URL: 'postgres://server' };
    const database = { kind: 'postgres', url: 'postgres://pooler', directUrl: 'postgres://server', sessions: 20 };
    const clustered = readConfig({ ...many, DATABASE_SESSIONS: '20', MIGRATE: 'never' });
    expect(clustered).toMatchObject({ workers: 4, backend: { database, migrates: false } });
    expect(readConfig({ ...many, WORKERS: 'auto' }).workers).toBe(availableParallelism());
    const secret = refusal({ ...many, DATABASE_DIRECT_URL: 'mysql://u:a-password@x' });
    expect(secret).toMatch(/^DATABASE_DIRECT_URL must start with postgres/);
    expect(secret).not.toContain('a-password');
  });

  it('store uploads on disk or in a bucket, with secrets from files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'madhouse-config-'));
    await writeFile(join(folder, 'secret'), 'of the bucket\n');
    const bucket = { S3_URL: 'https://s3.example.com/', S3_BUCKET: 'bucket', S3_PREFIX: 'one/two' };
    const secret = { S3_ACCESS_KEY_ID: 'access-key', S3_SECRET_ACCESS_KEY_FILE: join(folder, 'secret') };
    const config = readConfig({ ...bucket, ...secret });
    await rm(folder, { recursive: true });
    const place = { url: 'https://s3.example.com', bucket: 'bucket', region: 'us-east-1', prefix: 'one/two/' };
    const objects = { kind: 's3', ...place, accessKeyId: 'access-key', secretAccessKey: 'of the bucket' };
    expect(config.backend).toMatchObject({ keepBytesDays: 35, objects });
    expect(readConfig({}).backend).toMatchObject({ objects: { kind: 'disk' } });
  });

  it('use site_url and jwt_secret of the project unless the environment sets them, and report which is used', () => {
    const project = { site_url: 'https://project.example', jwt_secret: 'a secret of the project, long enough' };
    const own = readConfig({}, project);
    expect(own).toMatchObject({ siteUrl: 'https://project.example', backend: { jwtSecret: project.jwt_secret } });
    expect(own.notes).toEqual([
      '[auth] site_url of config.toml is used, because SITE_URL is not set',
      '[auth] jwt_secret of config.toml is used, because JWT_SECRET is not set',
    ]);
    const resolved = readConfig({ SITE_URL: 'https://here.example', JWT_SECRET: 'x'.repeat(40) }, project);
    expect(resolved).toMatchObject({ siteUrl: 'https://here.example', backend: { jwtSecret: 'x'.repeat(40) } });
    expect(resolved.notes).toEqual([
      'SITE_URL from the environment is used; [auth] site_url of config.toml is ignored',
      'JWT_SECRET from the environment is used; [auth] jwt_secret of config.toml is ignored',
    ]);
    expect(readConfig({}).notes).toEqual([]);
    const empty = readConfig({}, { site_url: '', jwt_secret: '' });
    expect(empty).toMatchObject({ siteUrl: 'http://127.0.0.1:3000', backend: { jwtSecret: null }, notes: [] });
  });

  it.each([
    [{ site_url: 'project.example' }, /^\[auth\] site_url of config\.toml must be an http or https address/],
    [{ site_url: 'https://project.example/app' }, /^\[auth\] site_url of config\.toml must be an origin/],
    [{ jwt_secret: CLI_SECRET }, /^\[auth\] jwt_secret of config\.toml is the one that the Supabase CLI gives/],
    [{ jwt_secret: 'hunter2' }, /^\[auth\] jwt_secret of config\.toml must have at least 32 characters/],
  ])('reject invalid project settings: %j', (project, words) => {
    expect(() => readConfig({}, project)).toThrow(words);
    expect(() => readConfig({}, project)).not.toThrow('hunter2');
  });

  it('reject a CAPTCHA that the project does not verify', () => {
    const start = (CAPTCHA: string, enabled: boolean) =>
      readConfig({ CAPTCHA }, { captcha: { enabled, provider: 'turnstile', secret: '' } }).captcha;
    const refused = 'CAPTCHA does not match [auth.captcha], which is';
    expect(() => start('hcaptcha:site-key', true)).toThrow(`${refused} for turnstile. `);
    expect(() => start('turnstile:site-key', false)).toThrow(`${refused} disabled or has no secret. `);
    expect(start('turnstile:site-key', true)).toEqual({ provider: 'turnstile', siteKey: 'site-key' });
    expect([start('', true), start('', false)]).toEqual([null, null]);
  });

  it('reject a public address without mail delivery, unless MAIL_DELIVERY allows it', () => {
    const missing =
      /^SMTP_URL is missing: https:\/\/madhouse\.agency .*Set SMTP_URL and MAIL_FROM, or MAIL_DELIVERY=outbox/;
    const site = { SITE_URL: 'https://madhouse.agency' };
    expect(refusal(site)).toMatch(missing);
    expect(refusal({ ...site, MAIL_DELIVERY: 'smtp' })).toMatch(missing);
    expect(refusal({ MAIL_DELIVERY: 'smtp' })).toMatch(/^SMTP_URL is missing/);
    expect(refusal({ MAIL_DELIVERY: 'post' })).toMatch(/^MAIL_DELIVERY must be smtp or outbox/);
    expect(readConfig({ ...site, MAIL_DELIVERY: 'outbox' }).mail.kind).toBe('outbox');
    // Login shells set MAIL to the mailbox file of their user.
    expect(readConfig({ MAIL: '/var/mail/office' }).mail.kind).toBe('outbox');
    const smtp = { SMTP_URL: 'smtps://me:secret@mail.example:465' };
    expect(readConfig({ ...site, ...smtp }).mail.kind).toBe('smtp');
    expect(readConfig({ ...site, ...smtp, MAIL_DELIVERY: 'outbox' }).mail.kind).toBe('outbox');
    for (const local of ['http://10.0.0.5:3000', 'https://localhost', 'https://a.test', 'https://madhouse.example'])
      expect(readConfig({ SITE_URL: local }).mail.kind).toBe('outbox');
  });

  it('never show a wrong secret', () => {
    expect(refusal({ SETUP_KEY: 'opensesame' })).not.toContain('opensesame');
    expect(refusal({ DATABASE_URL: 'mysql://me:hunter2@db' })).not.toContain('hunter2');
  });

  it('read every secret from a file, without its final line break, and never show its content', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'madhouse-secrets-'));
    const inFile = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return { [`${name}_FILE`]: join(folder, name) };
    };
    try {
      const config = readConfig({
        ...(await inFile('DATABASE_URL', 'postgres://me:hunter2@db/madhouse\n')),
        ...(await inFile('JWT_SECRET', `${'x'.repeat(40)}\r\n`)),
        ...(await inFile('SUPABASE_SECRET_KEY', `sb_secret_${'y'.repeat(40)}`)),
        ...(await inFile('SETUP_KEY', 'a key of twenty letters\n')),
        ...(await inFile('SMTP_URL', 'smtp://me:hunter2@mail')),
      });
      const database = { kind: 'postgres', url: 'postgres://me:hunter2@db/madhouse' };
      const keys = { jwtSecret: 'x'.repeat(40), secretKey: `sb_secret_${'y'.repeat(40)}` };
      const backend = { database, ...keys, setupKey: 'a key of twenty letters' };
      expect(config).toMatchObject({ backend, mail: { kind: 'smtp', url: 'smtp://me:hunter2@mail' } });
      expect(readConfig(await inFile('SETUP_KEY', '\n')).backend).toMatchObject({ setupKey: null });
      const wrong = refusal(await inFile('SMTP_URL', 'hunter2'));
      expect(wrong).toMatch(/^SMTP_URL must start with smtp/);
      expect(wrong).not.toContain('hunter2');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
