// Long: every setting, what it may be and what becomes of it, in one place.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { readProject } from './backend/config/supabase-config.ts';

/** Which engine keeps the data of our own backend. */
export type DatabaseChoice = { kind: 'embedded'; folder: string } | { kind: 'postgres'; url: string };

/** A bucket of a server that speaks S3. */
export interface S3Bucket {
  kind: 's3';
  /** The server's origin and, where it has one, path; no trailing slash. */
  url: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** In front of every key: empty, or ends in a slash. */
  prefix: string;
}

/** Where uploaded bytes lie. */
export type ObjectsChoice = { kind: 'disk'; folder: string } | S3Bucket;

/** Our own backend: identity, data, storage and functions in this process. */
export interface OwnBackend {
  kind: 'own';
  database: DatabaseChoice;
  /** Where uploaded bytes lie. */
  objects: ObjectsChoice;
  /** The Supabase project folder that is run: config.toml, migrations, seed, functions, templates. */
  supabaseDir: string;
  /** Accept HS256 tokens and legacy API keys signed with this; null: ES256 only. */
  jwtSecret: string | null;
  /** API keys given by the operator; null: generated once and kept in DATA_DIR. */
  publishableKey: string | null;
  secretKey: string | null;
  /** One-time key that makes the first admin; null: generated at first start and printed once. */
  setupKey: string | null;
  /** `auto`: the demo in a new embedded database, nothing elsewhere. */
  seed: 'demo' | 'project' | 'none' | 'auto';
  /** How long what was deleted can be brought back, in days. */
  keepDeletedDays: number;
  /** How long the bytes of a file stay after it was deleted or replaced, so that a restored database finds them, in days. */
  keepBytesDays: number;
  /** How long the audit logs are kept, in days. */
  keepAuditDays: number;
  /** How many daily archives an embedded house keeps in DATA_DIR/archives; 0: none are made. */
  keepArchives: number;
}

/** A hosted Supabase project; none of our services start. */
export interface HostedBackend {
  kind: 'hosted';
  url: URL;
  publishableKey: string;
}

export interface Config {
  /** Development shows the setup key prefilled and the outbox at /dev/mail; only ever on a loopback address. */
  mode: 'production' | 'development';
  /** The site straight from its sources (`npm run dev`) instead of from build/. */
  hotReload: boolean;
  host: string;
  port: number;
  /** Canonical origin, no trailing slash: the only one used in mails, links and metadata. */
  siteUrl: string;
  dataDir: string;
  /** Free bytes of its disk that files leave alone; rows and log go on a little longer. */
  diskReserve: number;
  backend: OwnBackend | HostedBackend;
  mail: { kind: 'smtp'; url: string; from: string } | { kind: 'outbox'; folder: string; from: string };
  /** Whose check for humans our own forms show before they ask the identity service; null: none. */
  captcha: { provider: 'turnstile' | 'hcaptcha'; siteKey: string } | null;
  /** How many proxies in front may set X-Forwarded-For and X-Forwarded-Proto. */
  trustProxy: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /** Which of two places a setting was taken from, a line each; said at the start. */
  notes: readonly string[];
}

/** What the project's own config.toml says under `[auth]` of settings that the environment decides. */
export interface ProjectSays {
  site_url?: string | undefined;
  jwt_secret?: string | undefined;
}

/** A setting that stops the start. The message is one line that names the setting and says how to mend it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const optional = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.trim() || undefined)
    .pipe(schema.optional())
    .optional();

const webAddress = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address');
const secret = z.string().min(32, 'must have at least 32 characters');

const Environment = z.object({
  PORT: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0)
    .max(65535, 'must be at most 65535')
    .default(3000),
  HOST: z.string().trim().min(1, 'must not be empty').default('127.0.0.1'),
  SITE_URL: optional(webAddress),
  DATA_DIR: z.string().trim().min(1, 'must not be empty').default('./data'),
  DISK_RESERVE_MB: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(64, 'must be at least 64')
    .default(1024),
  DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')),
  S3_URL: optional(webAddress),
  S3_BUCKET: optional(z.string().regex(/^[\w.-]{3,63}$/, 'must be the name of a bucket')),
  S3_REGION: z.string().trim().min(1, 'must not be empty').default('us-east-1'),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_ACCESS_KEY_ID_FILE: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  S3_SECRET_ACCESS_KEY_FILE: optional(z.string()),
  S3_PREFIX: optional(
    z
      .string()
      .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'must be letters, digits, dots and hyphens, with slashes between them'),
  ),
  SUPABASE_URL: optional(webAddress),
  SUPABASE_PUBLISHABLE_KEY: optional(z.string().min(20, 'must have at least 20 characters')),
  SUPABASE_SECRET_KEY: optional(secret),
  SUPABASE_DIR: z.string().trim().min(1, 'must not be empty').default('./supabase'),
  JWT_SECRET: optional(secret),
  SETUP_KEY: optional(z.string().min(20, 'must have at least 20 characters')),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')),
  MAIL_FROM: optional(
    z.string().regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an e-mail address, such as Madhouse <hello@example.com>'),
  ),
  SEED: z.enum(['demo', 'project', 'none'], 'must be demo, project or none').optional(),
  KEEP_DELETED_DAYS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(3650, 'must be at most 3650')
    .default(30),
  KEEP_BYTES_DAYS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(3650, 'must be at most 3650')
    .default(35),
  KEEP_AUDIT_DAYS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(3650, 'must be at most 3650')
    .default(365),
  KEEP_ARCHIVES: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(366, 'must be at most 366')
    .default(7),
  CAPTCHA: optional(
    z.string().regex(/^(turnstile|hcaptcha):[\w-]{1,100}$/, 'must be turnstile: or hcaptcha: and your site key'),
  ),
  TRUST_PROXY: z.coerce.number('must be a number').int('must be a whole number').min(0).max(10).default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  MADHOUSE_DEV: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  NODE_ENV: z.string().optional(),
});

/** Names of every setting an operator may set, in the order of the documentation. `tests/house.test.ts` compares them with `.env.example`. */
export const settingNames = Object.keys(Environment.shape).filter((name) => name !== 'NODE_ENV');

/**
 * Reads, checks and freezes the settings.
 * @param environment usually `process.env`
 * @param project counts where the environment says nothing
 * @throws ConfigError for the first wrong setting
 */
export function readConfig(environment: Record<string, string | undefined>, project: ProjectSays = {}): Config {
  const filled = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name in Environment.shape && value !== ''),
  );
  const parsed = Environment.safeParse(filled);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const name = String(issue.path[0]);
    throw new ConfigError(
      `${name} ${issue.message} (it is ${shown(name, environment[name])}). Mend it in the environment or in .env; .env.example explains each setting.`,
    );
  }
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const development = env.MADHOUSE_DEV === '1';
  if (development && !isLoopback(env.HOST)) {
    throw new ConfigError(
      `MADHOUSE_DEV is for this machine only, but HOST is "${env.HOST}". Unset MADHOUSE_DEV or set HOST to 127.0.0.1.`,
    );
  }
  checkProject(project);
  const siteUrl = env.SITE_URL
    ? originOf('SITE_URL', env.SITE_URL)
    : project.site_url
      ? originOf('[auth] site_url of config.toml', project.site_url)
      : listeningAt(env.HOST, env.PORT);
  const from = env.MAIL_FROM ?? `Madhouse <hello@${new URL(siteUrl).hostname}>`;
  return deepFreeze<Config>({
    mode: development ? 'development' : 'production',
    hotReload: env.NODE_ENV === 'development',
    host: env.HOST,
    port: env.PORT,
    siteUrl,
    dataDir,
    diskReserve: env.DISK_RESERVE_MB * 1024 ** 2,
    backend: env.SUPABASE_URL
      ? hosted(env)
      : own({ ...env, JWT_SECRET: env.JWT_SECRET ?? (project.jwt_secret || undefined) }, dataDir),
    mail: env.SMTP_URL
      ? { kind: 'smtp', url: env.SMTP_URL, from }
      : { kind: 'outbox', folder: resolve(dataDir, 'outbox'), from },
    captcha: captchaOf(env.CAPTCHA),
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    notes: notesOf(env, project),
  });
}

/**
 * The settings of this process, those of a file `.env` and of the project folder among them.
 * @throws Error with one line for the first wrong one
 */
export async function ownConfig(): Promise<Config> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  if (config.backend.kind === 'hosted') return config;
  return readConfig(process.env, (await readProject(config.backend.supabaseDir)).auth);
}

function checkProject({ site_url: siteUrl, jwt_secret: jwtSecret }: ProjectSays): void {
  for (const [name, value, schema] of [
    ['site_url', siteUrl, webAddress],
    ['jwt_secret', jwtSecret, secret],
  ] as const) {
    const parsed = value ? schema.safeParse(value) : null;
    if (parsed?.error) throw new ConfigError(`[auth] ${name} of config.toml ${parsed.error.issues[0]!.message}.`);
  }
}

function notesOf(env: z.infer<typeof Environment>, project: ProjectSays): string[] {
  const note = (name: 'SITE_URL' | 'JWT_SECRET', key: keyof ProjectSays) =>
    !project[key]
      ? []
      : env[name]
        ? [`${name} of the environment counts; [auth] ${key} of config.toml is not used`]
        : [`[auth] ${key} of config.toml counts, as ${name} is not set`];
  return [...note('SITE_URL', 'site_url'), ...note('JWT_SECRET', 'jwt_secret')];
}

function own(env: z.infer<typeof Environment>, dataDir: string): OwnBackend {
  return {
    kind: 'own',
    database: env.DATABASE_URL
      ? { kind: 'postgres', url: env.DATABASE_URL }
      : { kind: 'embedded', folder: resolve(dataDir, 'database') },
    objects: s3Bucket(env) ?? { kind: 'disk', folder: resolve(dataDir, 'objects') },
    supabaseDir: isAbsolute(env.SUPABASE_DIR) ? env.SUPABASE_DIR : resolve(env.SUPABASE_DIR),
    jwtSecret: env.JWT_SECRET ?? null,
    publishableKey: env.SUPABASE_PUBLISHABLE_KEY ?? null,
    secretKey: env.SUPABASE_SECRET_KEY ?? null,
    setupKey: env.SETUP_KEY ?? null,
    seed: env.SEED ?? 'auto',
    keepDeletedDays: env.KEEP_DELETED_DAYS,
    keepBytesDays: env.KEEP_BYTES_DAYS,
    keepAuditDays: env.KEEP_AUDIT_DAYS,
    keepArchives: env.KEEP_ARCHIVES,
  };
}

/** Null where nothing of it is set. @throws ConfigError for half a set */
function s3Bucket(env: z.infer<typeof Environment>): S3Bucket | null {
  const given = {
    S3_URL: env.S3_URL,
    S3_BUCKET: env.S3_BUCKET,
    S3_ACCESS_KEY_ID: secretOf('S3_ACCESS_KEY_ID', env.S3_ACCESS_KEY_ID, env.S3_ACCESS_KEY_ID_FILE),
    S3_SECRET_ACCESS_KEY: secretOf('S3_SECRET_ACCESS_KEY', env.S3_SECRET_ACCESS_KEY, env.S3_SECRET_ACCESS_KEY_FILE),
  };
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 4 && !env.S3_PREFIX) return null;
  if (missing.length)
    throw new ConfigError(
      `${missing.join(' and ')} missing: uploads go to S3 only with all of ${Object.keys(given).join(', ')}. Set the rest, or none of them.`,
    );
  const url = new URL(given.S3_URL!);
  if (url.search || url.hash || url.username)
    throw new ConfigError('S3_URL must be an address such as https://s3.example.com, without query or user.');
  return {
    kind: 's3',
    url: url.href.replace(/\/$/, ''),
    bucket: given.S3_BUCKET!,
    region: env.S3_REGION,
    accessKeyId: given.S3_ACCESS_KEY_ID!,
    secretAccessKey: given.S3_SECRET_ACCESS_KEY!,
    prefix: env.S3_PREFIX ? env.S3_PREFIX.replace(/\/?$/, '/') : '',
  };
}

/** A secret, or what stands in the file that a second setting names. @throws ConfigError */
function secretOf(name: string, value: string | undefined, file: string | undefined): string | undefined {
  if (!file) return value;
  if (value) throw new ConfigError(`${name} and ${name}_FILE exclude each other. Unset one.`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new ConfigError(
      `${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code}). Name a file that holds the secret and nothing else.`,
    );
  }
}

function hosted(env: z.infer<typeof Environment>): HostedBackend {
  if (!env.SUPABASE_PUBLISHABLE_KEY) {
    throw new ConfigError(
      'SUPABASE_PUBLISHABLE_KEY is missing: with SUPABASE_URL set, copy the publishable (anon) key of that project.',
    );
  }
  if (env.DATABASE_URL) {
    throw new ConfigError(
      'DATABASE_URL and SUPABASE_URL exclude each other: a hosted project brings its own database. Unset one.',
    );
  }
  if (env.S3_URL) {
    throw new ConfigError(
      'S3_URL and SUPABASE_URL exclude each other: a hosted project brings its own storage. Unset one.',
    );
  }
  return { kind: 'hosted', url: new URL(env.SUPABASE_URL!), publishableKey: env.SUPABASE_PUBLISHABLE_KEY };
}

function captchaOf(given: string | undefined): Config['captcha'] {
  const [provider, siteKey] = given?.split(':') ?? [];
  return siteKey ? { provider: provider as 'turnstile' | 'hcaptcha', siteKey } : null;
}

const listeningAt = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host}:${port}`;

function originOf(name: string, given: string): string {
  const url = new URL(given);
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new ConfigError(
      `${name} must be an origin such as https://example.com, without path, query or user (it is "${given}").`,
    );
  }
  return url.origin;
}

const shown = (name: string, value: string | undefined) =>
  value === undefined
    ? 'missing'
    : /KEY|SECRET|URL$/.test(name) && name !== 'SITE_URL'
      ? 'not shown'
      : JSON.stringify(value);

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (inner && typeof inner === 'object' && !(inner instanceof URL)) deepFreeze(inner);
  return Object.freeze(value);
}
