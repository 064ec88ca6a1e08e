import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProject } from './supabase-config.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'supabase');

describe('the product’s project folder', () => {
  it('enables no provider, SMS hook or captcha while their environment variables are missing, without a warning', async () => {
    const { auth, warnings } = await readProject(folder, {});
    expect(Object.values(auth.external).filter(({ enabled }) => enabled)).toEqual([]);
    expect([auth.hook.send_sms.enabled, auth.captcha.enabled, warnings]).toEqual([false, false, []]);
  });

  it('enables sections whose environment variables are set', async () => {
    const github = { GITHUB_CLIENT_ID: 'madhouse', GITHUB_CLIENT_SECRET: 'a secret' };
    const sms = { SMS_HOOK_URL: 'https://messages.example', SMS_HOOK_SECRET: 'v1,whsec_x' };
    const { auth } = await readProject(folder, { ...github, ...sms, CAPTCHA_SECRET: 'another' });
    expect(auth.external['github']).toMatchObject({ enabled: true, client_id: 'madhouse', secret: 'a secret' });
    expect(auth.external['google']?.enabled).toBe(false);
    expect([auth.captcha.enabled, auth.hook.send_sms.enabled]).toEqual([true, true]);
  });

  // From the CLI's configuration schema of June 2026; its `UnmarshalExact` rejects every other key.
  const KNOWN: Record<string, string> = {
    '': 'project_id api auth db edge_runtime functions storage',
    api: 'enabled port schemas extra_search_path max_rows auto_expose_new_tables external_url tls',
    db: 'port shadow_port health_timeout major_version root_key pooler migrations seed settings vault network_restrictions ssl_enforcement',
    'db.seed': 'enabled sql_paths',
    storage: 'enabled file_size_limit image_transformation s3_protocol buckets analytics vector',
    'storage.buckets.*': 'public file_size_limit allowed_mime_types objects_path',
    auth: `enabled site_url external_url additional_redirect_urls jwt_expiry jwt_issuer enable_refresh_token_rotation
      refresh_token_reuse_interval enable_manual_linking enable_signup enable_anonymous_sign_ins minimum_password_length
      password_requirements signing_keys_path passkey webauthn rate_limit captcha hook mfa sessions email sms external web3
      oauth_server publishable_key secret_key jwt_secret anon_key service_role_key third_party`,
    'auth.rate_limit': 'anonymous_users token_refresh sign_in_sign_ups token_verifications email_sent sms_sent web3',
    'auth.email': `enable_signup double_confirm_changes enable_confirmations secure_password_change template notification smtp
      max_frequency otp_length otp_expiry`,
    'auth.email.template.*': 'subject content_path',
    'auth.sms':
      'enable_signup enable_confirmations template twilio twilio_verify messagebird textlocal vonage test_otp max_frequency',
    'auth.mfa': 'max_enrolled_factors totp phone web_authn',
    'auth.mfa.totp': 'enroll_enabled verify_enabled',
    'auth.mfa.phone': 'enroll_enabled verify_enabled otp_length template max_frequency',
    'functions.*': 'enabled verify_jwt import_map entrypoint static_files',
  };
  const NAMED = ['storage.buckets', 'auth.email.template', 'functions'];

  it('has only keys in config.toml that the Supabase CLI accepts', async () => {
    const settings = parse(await readFile(join(folder, 'config.toml'), 'utf8'));
    const unknown: string[] = [];
    const look = (section: object, path: string, pattern: string) => {
      for (const [key, value] of Object.entries(section)) {
        const named = NAMED.includes(pattern);
        if (!named && !KNOWN[pattern]?.split(/\s+/).includes(key)) unknown.push(`${path}.${key}`);
        const inner = [pattern, named ? '*' : key].filter(Boolean).join('.');
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) look(value, `${path}.${key}`, inner);
      }
    };
    look(settings, 'config.toml', '');
    expect(unknown).toEqual([]);
    const { auth } = settings as unknown as {
      auth: { hook?: unknown; email: { template: Record<string, { content_path: string }> } };
    };
    expect(auth.hook).toBeUndefined();
    // The CLI resolves these paths from the parent folder.
    const templates = Object.values(auth.email.template).map(({ content_path: path }) => path);
    expect(templates.filter((path) => !existsSync(resolve(folder, '..', path)))).toEqual([]);
    expect(templates).toHaveLength(6);
  });
});

describe('another project folder', () => {
  let other: string;
  beforeEach(async () => {
    other = await mkdtemp(join(tmpdir(), 'madhouse-project-'));
  });
  afterEach(() => rm(other, { recursive: true, force: true }));
  const project = async (settings: string, environment: Record<string, string> = {}) => {
    await writeFile(join(other, 'config.toml'), settings);
    return readProject(other, environment);
  };

  it('disables incomplete sections with a warning', async () => {
    const settings = `
      [auth.external.google]
      enabled = true
      client_id = "madhouse"
      secret = "env(GOOGLE_SECRET)"
      [auth.external.github]
      enabled = true
      client_id = "env(GITHUB_ID)"
      secret = "env(GITHUB_SECRET)"
      [auth.external.gitlab]
      enabled = "when filled"
      client_id = "env(GITHUB_ID)"
      secret = "env(GITLAB_SECRET)"
      [auth.captcha]
      enabled = true
      provider = "hcaptcha"
      secret = "env(CAPTCHA)"`;
    const { auth, warnings } = await project(settings, { GITHUB_ID: 'madhouse', GITHUB_SECRET: 'a secret' });
    expect(Object.entries(auth.external).map(([name, { enabled }]) => [name, enabled])).toEqual([
      ['google', false],
      ['github', true],
      ['gitlab', false],
    ]);
    const advice = 'required values are empty. Set them in the environment, or set enabled = false.';
    const sections = ['[auth.external.google]', '[auth.external.gitlab]', '[auth.captcha]'];
    expect(warnings).toEqual(sections.map((section) => `${section} is disabled: ${advice}`));
  });

  it('warns of settings without effect', async () => {
    await mkdir(join(other, 'functions', 'hello'), { recursive: true });
    await writeFile(join(other, 'functions', 'hello', 'index.ts'), 'Deno.serve(() => new Response());');
    const { warnings } = await project(`
      [api]
      enabled = false
      [auth.hook.custom_access_token]
      enabled = true
      uri = "pg-functions://postgres/public/hook"
      [auth.sms.twilio]
      enabled = true
      [auth.email.smtp]
      enabled = true
      host = "smtp.example"`);
    expect(warnings).toEqual([
      'auth.hook.custom_access_token.enabled = true has no effect: not supported by this backend.',
      'auth.sms.twilio.enabled = true has no effect: not supported by this backend.',
      'api.enabled = false has no effect: always enabled in this backend.',
      '[auth.email.smtp] has no effect: set SMTP_URL instead.',
      'functions/hello does not run here: it has an index.ts for Deno and no handler.ts.',
    ]);
  });

  it('names file and key of an invalid value, and a file that cannot be read', async () => {
    await expect(project('[auth]\njwt_expiry = "soon"')).rejects.toThrow(/config\.toml: auth\.jwt_expiry /);
    await expect(project('[auth')).rejects.toThrow(/config\.toml is not valid TOML: /);
    await rm(join(other, 'config.toml'));
    await expect(readProject(other, {})).rejects.toThrow(/^SUPABASE_DIR has no config\.toml: /);
    await mkdir(join(other, 'config.toml'));
    const folderInstead = /config\.toml is a folder, not a file\. Fix it, or set SUPABASE_DIR/;
    await expect(readProject(other, {})).rejects.toThrow(folderInstead);
  });

  it('reads settings of this backend from madhouse.toml', async () => {
    await cp(join(folder, 'config.toml'), join(other, 'config.toml'));
    expect((await readProject(other, {})).api.guest_rows).toBe(100);
    await writeFile(join(other, 'madhouse.toml'), '[api]\nguest_rows = 7\n[auth.email]\notp_length = 8');
    const { api, auth } = await readProject(other, {});
    expect([api.guest_rows, api.max_rows, auth.email.otp_length, auth.email.max_frequency]).toEqual([7, 1000, 8, 60]);
  });
});
