import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isSection, readSettings } from './supabase-config-file.ts';

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a Go duration such as `24h` or `1h30m`; null for any other text. */
export function durationMs(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNIT_MS[unit!]!, 0);
}

const durationSeconds = z.union([z.int(), z.string()]).transform((value, context) => {
  if (typeof value === 'number') return value;
  const ms = durationMs(value);
  if (ms !== null) return ms / 1000;
  context.addIssue({ code: 'custom', message: `must be a duration such as 10s, 5m or 24h (it is "${value}")` });
  return z.NEVER;
});

const sizeBytes = z.union([z.int(), z.string()]).transform((value, context) => {
  if (typeof value === 'number') return value;
  const match = /^(\d+(?:\.\d+)?)\s*(B|[KMG]i?B)$/i.exec(value);
  if (!match) {
    context.addIssue({ code: 'custom', message: `must be a size such as 10MiB (it is "${value}")` });
    return z.NEVER;
  }
  return Math.floor(Number(match[1]) * 1024 ** ['B', 'K', 'M', 'G'].indexOf(match[2]![0]!.toUpperCase()));
});

/** A section whose settings all have defaults, or are optional. */
const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape).prefault({} as never);

const factorType = z.object({ enroll_enabled: z.boolean().default(false), verify_enabled: z.boolean().default(false) });

/** Not in the CLI: `when filled` enables a section once the environment provides its values; no warning before. */
const enabledSwitch = z.union([z.boolean(), z.literal('when filled')]).default(false);

function disableIfEmpty<Name extends string>(...names: Name[]) {
  return <Section extends { enabled: boolean | string } & Record<Name, string>>(section: Section) => ({
    ...section,
    enabled: section.enabled !== false && names.every((name) => section[name] !== ''),
  });
}

const externalProvider = z
  .object({
    enabled: enabledSwitch,
    client_id: z.string().default(''),
    secret: z.string().default(''),
    redirect_uri: z.string().default(''),
    url: z.string().default(''),
    skip_nonce_check: z.boolean().default(false),
    additional_client_ids: z.array(z.string()).default([]),
  })
  .transform(disableIfEmpty('client_id', 'secret'));

const bucket = z.object({
  public: z.boolean().default(false),
  file_size_limit: sizeBytes.optional(),
  allowed_mime_types: z.array(z.string()).optional(),
});

const edgeFunction = z.object({
  enabled: z.boolean().default(true),
  verify_jwt: z.boolean().default(true),
  /** Not in the CLI: calls per five minutes and address; default: the sign-in limit, shared by all functions. */
  rate: z.int().positive().optional(),
});

/** Supported parts of a Supabase CLI `config.toml`, with its defaults; unknown keys are ignored. */
const Schema = z.object({
  project_id: z.string().default('project'),
  api: section({
    schemas: z.array(z.string()).default(['public']),
    extra_search_path: z.array(z.string()).default(['public', 'extensions']),
    max_rows: z.int().positive().default(1000),
    /** Not in the CLI: row limit of requests without one. */
    default_rows: z.int().positive().optional(),
    /** Not in the CLI: OpenAPI document, `explain` and aggregates for every role instead of the service role only. */
    open_descriptions: z.boolean().default(false),
    aggregates: z.boolean().default(false),
    /** Not in the CLI: rows a guest may write per request. */
    guest_rows: z.int().positive().default(100),
    /** Not in the CLI: unindexed pattern and text search filters per request of guests and users. */
    searches: z.int().nonnegative().optional(),
    /** Not in the CLI: nesting depth and number of embeds per request. */
    max_embed_depth: z.int().positive().default(3),
    max_embeds: z.int().positive().default(6),
    /** Not in the CLI: filters per request, and values per `in` list. */
    max_filters: z.int().positive().default(30),
    max_list: z.int().positive().default(200),
    /** Not in the CLI: per address, without requests that use the secret key; 0 disables the limit. */
    requests_per_minute: z.int().nonnegative().default(600),
    /** Not in the CLI: POST targets refused while no uploads are accepted, because their rows would need files. */
    begins_with_files: z.array(z.string()).default([]),
    /** Not in the CLI: allows `Prefer: tx=rollback` for every role, as test suites use it. */
    tx_override: z.boolean().default(false),
  }),
  db: section({
    seed: section({ enabled: z.boolean().default(true), sql_paths: z.array(z.string()).default(['./seed.sql']) }),
  }),
  storage: section({ file_size_limit: sizeBytes.prefault('50MiB'), buckets: z.record(z.string(), bucket).default({}) }),
  auth: section({
    /** Fallback for the SITE_URL variable; the next for JWT_SECRET. */
    site_url: z.string().optional(),
    jwt_secret: z.string().optional(),
    additional_redirect_urls: z.array(z.string()).default([]),
    jwt_expiry: z.int().positive().default(3600),
    enable_signup: z.boolean().default(true),
    enable_refresh_token_rotation: z.boolean().default(true),
    refresh_token_reuse_interval: z.int().min(0).default(10),
    minimum_password_length: z.int().min(6).default(6),
    reject_common_passwords: z.boolean().default(true),
    password_requirements: z
      .enum(['', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols'])
      .default(''),
    enable_anonymous_sign_ins: z.boolean().default(false),
    /** Not in the CLI: days after which unused anonymous accounts are deleted; unset keeps them. */
    keep_anonymous_days: z.int().positive().optional(),
    enable_manual_linking: z.boolean().default(false),
    /** File of private JWKs, the first signs; relative to the folder. Default: keys created in DATA_DIR. */
    signing_keys_path: z.string().optional(),
    rate_limit: section({
      /** Per address in five minutes, or network and hour for sign-ups and requested emails. */
      sign_in_sign_ups: z.int().positive().default(30),
      token_refresh: z.int().positive().default(150),
      token_verifications: z.int().positive().default(30),
      /** Per hour, across the installation. */
      email_sent: z.int().positive().default(30),
      sms_sent: z.int().positive().default(30),
      /** Per hour and address. */
      anonymous_users: z.int().positive().default(30),
    }),
    sessions: section({ timebox: durationSeconds.optional(), inactivity_timeout: durationSeconds.optional() }),
    email: section({
      enable_signup: z.boolean().default(true),
      enable_confirmations: z.boolean().default(false),
      double_confirm_changes: z.boolean().default(true),
      secure_password_change: z.boolean().default(false),
      max_frequency: durationSeconds.prefault('1m'),
      otp_length: z.int().min(6).max(10).default(6),
      otp_expiry: z.int().positive().default(3600),
      template: z
        .record(z.string(), z.object({ subject: z.string().optional(), content_path: z.string().optional() }))
        .default({}),
    }),
    sms: section({
      enable_signup: z.boolean().default(false),
      enable_confirmations: z.boolean().default(false),
      max_frequency: durationSeconds.prefault('5s'),
      /** Test numbers with a fixed code and no messages, for app store reviewers and tests. */
      test_otp: z.record(z.string(), z.string()).default({}),
    }),
    hook: section({
      send_sms: z
        .object({ enabled: enabledSwitch, uri: z.string().default(''), secrets: z.string().default('') })
        .refine(({ uri, secrets }) => !uri || secrets, 'has a uri but no secrets')
        .transform(disableIfEmpty('uri'))
        .prefault({}),
    }),
    mfa: section({
      max_enrolled_factors: z.int().positive().default(10),
      totp: factorType.prefault({}),
      phone: factorType
        .extend({ otp_length: z.int().min(6).max(10).default(6), max_frequency: durationSeconds.prefault('5s') })
        .prefault({}),
    }),
    external: z.record(z.string(), externalProvider).default({}),
    captcha: z
      .object({
        enabled: enabledSwitch,
        provider: z.enum(['hcaptcha', 'turnstile']).default('turnstile'),
        secret: z.string().default(''),
        url: z.string().optional(),
      })
      .transform(disableIfEmpty('secret'))
      .prefault({}),
    saml: z.object({ enabled: z.boolean().default(false) }).prefault({}),
  }),
  functions: z.record(z.string(), edgeFunction).default({}),
});

export type SupabaseProject = Awaited<ReturnType<typeof readProject>>;

/** Reads the settings of a Supabase project folder. @throws Error with one line that names file and key */
export async function readProject(folder: string, environment: Record<string, string | undefined> = process.env) {
  const settings = readSettings(folder, environment);
  const parsed = Schema.safeParse(settings);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new Error(`${join(folder, 'config.toml')}: ${issue.path.join('.')} ${issue.message}`);
  }
  return { ...parsed.data, folder, warnings: warningsOf(folder, settings, parsed.data) };
}

type Section = Record<string, unknown>;

const UNSUPPORTED = [
  'auth.hook.*.enabled',
  'auth.sms.*.enabled',
  'auth.third_party.*.enabled',
  'auth.web3.*.enabled',
  'auth.oauth_server.enabled',
  'auth.passkey.enabled',
  'auth.mfa.web_authn.enroll_enabled',
  'auth.email.notification.*.enabled',
  'storage.analytics.enabled',
  'storage.vector.enabled',
];
const ALWAYS_ENABLED = ['api.enabled', 'auth.enabled', 'storage.enabled', 'db.migrations.enabled'];

function warningsOf(folder: string, settings: Section, project: Section): string[] {
  const isEmpty = (path: string, key: string) => !pathsOf(settings, path.replace(/enabled$/, key).split('.'))[0]?.value;
  const isHalfFilled = (path: string) => isEmpty(path, 'client_id') !== isEmpty(path, 'secret');
  const enabledPaths = (pattern: string) =>
    pathsOf(settings, pattern.split('.')).filter(
      ({ path, value }) => value === true || (value === 'when filled' && isHalfFilled(path)),
    );
  const empty = ['auth.external.*.enabled', 'auth.hook.send_sms.enabled', 'auth.captcha.enabled']
    .flatMap(enabledPaths)
    .filter(({ path }) => pathsOf(project, path.split('.')).some(({ value }) => value === false))
    .map(({ path }) => path.replace(/\.enabled$/, ''))
    .map(
      (path) =>
        `[${path}] is disabled: required values are empty. Set them in the environment, or set enabled = false.`,
    );
  const missing = UNSUPPORTED.flatMap(enabledPaths)
    .filter(({ path }) => path !== 'auth.hook.send_sms.enabled')
    .map(({ path }) => `${path} = true has no effect: not supported by this backend.`);
  const always = ALWAYS_ENABLED.flatMap((pattern) => pathsOf(settings, pattern.split('.')))
    .filter(({ value }) => value === false)
    .map(({ path }) => `${path} = false has no effect: always enabled in this backend.`);
  const smtp = enabledPaths('auth.email.smtp.enabled').map(
    () => '[auth.email.smtp] has no effect: set SMTP_URL instead.',
  );
  return [...empty, ...missing, ...always, ...smtp, ...denoOnlyFunctions(folder)];
}

function pathsOf(value: unknown, [key, ...rest]: string[], path: string[] = []): { path: string; value: unknown }[] {
  if (key === undefined) return [{ path: path.join('.'), value }];
  if (!isSection(value)) return [];
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  return keys.flatMap((name) => pathsOf(value[name], rest, [...path, name]));
}

function denoOnlyFunctions(folder: string): string[] {
  const functions = join(folder, 'functions');
  if (!existsSync(functions)) return [];
  return readdirSync(functions)
    .filter((name) => existsSync(join(functions, name, 'index.ts')) && !existsSync(join(functions, name, 'handler.ts')))
    .map((name) => `functions/${name} does not run here: it has an index.ts for Deno and no handler.ts.`);
}
