// Long: every setting is read and validated here and nowhere else.
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { ConfigError } from './config-error.ts';
import { secretFrom } from './secret-file.ts';
import { readProject, type SupabaseProject } from './supabase-config.ts';

const limit = (value: number, unit: string, reason: string) => ({ value, unit, reason });
const rate = (value: number, seconds: number, unit: string, reason: string) => ({ value, seconds, unit, reason });

const [MINUTE, HOUR] = [60, 3600];

// Browsers (app/lib/data/limits.ts), SQL and config.toml repeat the numbers; written-limits.test.ts compares them.
export const limits = {
  fileBytes: limit(10_485_760, 'bytes of a file', 'a photo of a phone has 3 to 8 MB; the form promises 10 MB'),
  filmBytes: limit(
    209_715_200,
    'bytes of a film',
    'ten minutes in full HD; longer films are better streamed elsewhere',
  ),
  captionsBytes: limit(1_048_576, 'bytes of captions', 'a film of two hours has about 100 KB'),
  guestUploads: rate(50, HOUR, 'files of full size per address', 'one full form of a guest'),
  accountUploads: limit(
    10,
    'times the uploads of a guest',
    'accounts are identified, and admins upload whole campaigns',
  ),
  officeUploads: limit(10, 'times the uploads of a guest', 'many guests share an address of OFFICE_NETWORKS'),
  openUploads: limit(5, 'unfinished uploads per account or address', 'the form sends two at a time, in two tabs'),
  unusedBytes: limit(2 * 1024 ** 3, 'unused bytes in all', 'unused files stay for a day and fill the disk'),
  unusedBytesEach: limit(
    1000 * 1024 ** 2,
    'unused bytes per account or address',
    'a full form, whose images can grow when they are encoded, and less than all',
  ),
  imageMegapixels: limit(40, 'megapixels of an image', 'larger ones take hundreds of MB of memory to decode'),
  imageSide: limit(10_000, 'pixels on a side of an image', 'encoders and browsers fail beyond it'),
  imageFrames: limit(200, 'frames of an animation', 'each is decoded'),
  imageSeconds: limit(10, 'seconds to decode an image', 'two images are decoded at a time; others wait'),
  imageSizes: rate(
    600,
    10 * MINUTE,
    'new sizes of images per address',
    'a gallery of 50 in every width and two formats',
  ),

  pages: rate(600, MINUTE, 'uncached pages per address', 'ten a second is more than an office reads'),
  apiRequests: rate(600, MINUTE, 'calls of the data service per address', 'a screen makes up to ten calls'),
  databaseTime: rate(5_000, MINUTE, 'ms of the embedded database per address', 'it serves one statement at a time'),

  signIns: rate(30, 5 * MINUTE, 'sign-ins per address', 'an office signs in together; guessing needs thousands'),
  signUps: rate(30, HOUR, 'sign-ups per network', 'each sends an email'),
  emailRequests: rate(30, HOUR, 'requested emails per network', 'an attacker could fill the mailbox of another person'),
  refreshes: rate(150, 5 * MINUTE, 'renewed sessions per address', 'every open tab renews its session'),
  codes: rate(30, 5 * MINUTE, 'entered codes per address', 'a code of six digits must not be guessed'),
  mailbox: rate(1, MINUTE, 'email of a kind per mailbox', 'a second email does not arrive sooner'),
  emails: rate(500, HOUR, 'emails in all', 'mail providers block senders of more emails'),
  passwordGuesses: limit(10, 'wrong passwords of an account without a wait', 'people try a few old passwords'),
  passwordWait: limit(300, 'seconds between wrong passwords at most', 'an account is never locked'),
  passwordBytes: limit(512, 'bytes of a password', 'hashing a longer one costs time and adds nothing'),
  setupKeyGuesses: rate(5, 15 * MINUTE, 'wrong setup keys per address', 'the key creates an admin'),

  accountCalls: rate(
    300,
    5 * MINUTE,
    'calls of the user list per address',
    'each page and each key typed into its search is a call',
  ),
  healthChecks: rate(60, 5 * MINUTE, 'checks of the Help screen per address', 'it refreshes itself'),
  archiveDownloads: rate(10, 5 * MINUTE, 'archive downloads per address', 'each reads the whole database'),
  cleanups: rate(5, 15 * MINUTE, 'cleanups in all', 'a cleanup deletes everything, by an admin who may be an intruder'),

  submissions: rate(20, 10 * MINUTE, 'experiments per account or address', 'people do not create more'),
  draftComments: rate(20, 10 * MINUTE, 'comments and decisions per draft link', 'a client writes a few at a time'),
  linkComments: limit(500, 'comments of a draft link', 'a page lists all of them'),
  contactMessages: rate(5, 10 * MINUTE, 'messages per network', 'a person sends one message and perhaps a correction'),
  contactMessagesHour: rate(10, HOUR, 'messages per network', 'more is spam'),
  media: limit(50, 'images and videos of a project', 'visitors do not look through more'),
  tags: limit(500, 'tags of a project', 'far more than anyone enters'),
  credits: limit(20, 'parts of the work', 'the credit strip stays readable'),
  creditNames: limit(20, 'names per part of the work', 'a longer list is not read'),
  line: limit(200, 'characters of a title, client, name or role', 'they are printed on one or two lines'),
  caption: limit(500, 'characters of a caption or description of an image', 'it is shown beside the image'),
  address: limit(2048, 'characters of an address', 'browsers and proxies cut longer ones'),
  message: limit(5000, 'characters of a message, note or reply', 'two printed pages'),
  richText: limit(102_400, 'bytes of a formatted text', 'twenty printed pages; pages stay quick'),
  email: limit(254, 'characters of an email address', 'the standard allows no longer address'),
  label: limit(60, 'characters of a tag, part of the work or link name', 'it is printed on a label'),
  creditName: limit(120, 'characters of a credited person or tool', 'it is printed in a list'),
  replyName: limit(80, 'characters of a reply template’s name', 'it is printed in a menu'),
  featured: limit(12, 'experiments on the home page', 'the page has no room for more'),
  budget: limit(1_000_000_000, 'US dollars', 'a larger number is a typing error'),
  retentionDays: limit(3650, 'days of retention', 'ten years, longer than any law requires'),
  sheetPeople: limit(200, 'people of a split sheet', 'ten people fill a printed page'),
  investors: limit(25, 'percent of a profit for investors', 'the rest belongs to the people who work'),
  planWords: limit(120, 'characters of an instalment', 'one printed line'),
  webhooks: limit(20, 'webhooks', 'each event is sent to every one of them'),
  webhookTests: rate(10, MINUTE, 'tests of a webhook', 'its receiver may belong to someone else'),
  instalments: limit(36, 'instalments of a payment plan', 'three years of months'),
};

export type DatabaseChoice =
  | { kind: 'embedded'; folder: string }
  | {
      kind: 'postgres';
      url: string;
      /** The server itself, when `url` is a pooler in transaction mode. */
      directUrl?: string;
      /** Sessions per process, including the one for LISTEN; 10 by default. */
      sessions?: number;
    };

export interface S3Bucket {
  kind: 's3';
  url: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  prefix: string;
}

export type ObjectsChoice = { kind: 'disk'; folder: string } | S3Bucket;

/** What the settings mean: `.env.example`. */
export type Config = ReturnType<typeof readConfig>;
export type OwnBackend = ReturnType<typeof ownBackend>;
export type OwnConfig = Config & { backend: OwnBackend };
export type UploadSettings = OwnBackend['uploads'];

type ProjectAuthSettings = Partial<Pick<SupabaseProject['auth'], 'site_url' | 'jwt_secret' | 'captcha'>>;

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 64 }[isIP(address)]!;
  return maxBits > 0 && !rest.length && (bits === undefined || (/^\d{1,2}$/.test(bits) && Number(bits) <= maxBits));
}

const optional = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.trim() || undefined)
    .pipe(schema.optional())
    .optional();

const webAddress = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address');
const smtpAddress = z
  .string()
  .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
  .refine((text) => URL.canParse(text), 'must be a valid address: in its password, write # as %23 and / as %2F');
const postgresAddress = z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://');
const secret = z.string().min(32, 'must have at least 32 characters');
const jwtSecret = secret.refine(
  (text) => text !== 'super-secret-jwt-token-with-at-least-32-characters-long',
  'is the one that the Supabase CLI gives to every project, so anyone could sign in as anyone: choose your own',
);

const filled = z.string().trim().min(1, 'must not be empty');
const key = z.string().min(20, 'must have at least 20 characters');

const wholeNumber = (defaultValue: number, min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(defaultValue);

const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .refine(
    (networks) => networks.every(isNetwork),
    'must be addresses or networks with commas between them, such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/48 (IPv6: /64 or wider)',
  )
  .default([]);

const Environment = z.object({
  PORT: wholeNumber(3000, 0, 65535),
  HOST: filled.default('127.0.0.1'),
  WORKERS: z
    .string()
    .trim()
    .transform((text) => (text === 'auto' ? availableParallelism() : Number(text)))
    .refine(
      (number) => Number.isInteger(number) && number >= 1 && number <= 256,
      'must be auto or a number from 1 to 256',
    )
    .default(1),
  SITE_URL: optional(webAddress),
  DATA_DIR: filled.default('./data'),
  KEYS_FILE: optional(z.string()),
  DISK_RESERVE_MB: wholeNumber(1024, 64),
  DATABASE_URL: optional(postgresAddress),
  DATABASE_DIRECT_URL: optional(postgresAddress),
  DATABASE_SESSIONS: wholeNumber(10, 2, 1000),
  DATABASE_MS_PER_MINUTE: wholeNumber(limits.databaseTime.value, 100, 60_000),
  MIGRATE: z.enum(['auto', 'never'], 'must be auto or never').default('auto'),
  S3_URL: optional(webAddress),
  S3_BUCKET: optional(z.string().regex(/^[\w.-]{3,63}$/, 'must be the name of a bucket')),
  S3_REGION: filled.default('us-east-1'),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  S3_PREFIX: optional(
    z
      .string()
      .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'must be letters, digits, dots and hyphens, with slashes between them'),
  ),
  SUPABASE_URL: optional(webAddress),
  SUPABASE_PUBLISHABLE_KEY: optional(key),
  SUPABASE_SECRET_KEY: optional(secret),
  SUPABASE_DIR: filled.default('./supabase'),
  JWT_SECRET: optional(jwtSecret),
  SETUP_KEY: optional(key),
  MAIL_DELIVERY: z.enum(['smtp', 'outbox'], 'must be smtp or outbox').optional(),
  SMTP_URL: optional(smtpAddress),
  MAIL_FROM: optional(
    z.string().regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an email address, such as Madhouse <hello@example.com>'),
  ),
  SEED: z.enum(['demo', 'project', 'none'], 'must be demo, project or none').optional(),
  KEEP_DELETED_DAYS: wholeNumber(30, 1, 3650),
  KEEP_BYTES_DAYS: wholeNumber(35, 1, 3650),
  KEEP_AUDIT_DAYS: wholeNumber(365, 1, 3650),
  KEEP_ARCHIVES: wholeNumber(7, 0, 366),
  UPLOAD_FILES: wholeNumber(limits.guestUploads.value, 1, 100_000),
  UPLOAD_SECONDS: wholeNumber(limits.guestUploads.seconds, 1, 86_400),
  OFFICE_NETWORKS: networks,
  WEBHOOK_NETWORKS: networks,
  CAPTCHA: optional(
    z.string().regex(/^(turnstile|hcaptcha):[\w-]{1,100}$/, 'must be turnstile: or hcaptcha: and your site key'),
  ),
  TRUST_PROXY: wholeNumber(0, 0, 10),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  REQUEST_LOG: z.enum(['on', 'off'], 'must be on or off').default('off'),
  METRICS: optional(
    z.string().refine((text) => metricsAt(text), 'must be an address and a port, such as 127.0.0.1:9100 or [::1]:9100'),
  ),
  PICTURE_CACHE_MB: wholeNumber(32, 0, 65_536),
  CDN_SECONDS: wholeNumber(0, 0, 86_400),
  MADHOUSE_DEV: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  NODE_ENV: z.string().optional(),
});

type Settings = z.infer<typeof Environment>;

/** In the order of the documentation. `tests/structure.test.ts` compares them with `.env.example`. */
export const settingNames = Object.keys(Environment.shape).filter((name) => name !== 'NODE_ENV');

/** @param project defaults for what the environment does not set @throws ConfigError for the first invalid setting */
export function readConfig(environment: Record<string, string | undefined>, project: ProjectAuthSettings = {}) {
  const values = Object.fromEntries(
    Object.keys(Environment.shape).flatMap((name) => {
      const value = isSecret(name) ? secretFrom(environment, name) : environment[name];
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = Environment.safeParse(values);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const name = String(issue.path[0]);
    throw new ConfigError(
      `${name} ${issue.message} (it is ${displayed(name, values[name])}). Fix it in the environment or in .env; .env.example explains each setting.`,
    );
  }
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const development = env.MADHOUSE_DEV === '1';
  const conflict = conflictOf(env, project);
  if (conflict) throw new ConfigError(conflict);
  const siteUrl = env.SITE_URL
    ? originOf('SITE_URL', env.SITE_URL)
    : project.site_url
      ? originOf('[auth] site_url of config.toml', project.site_url)
      : listeningAt(env.HOST, env.PORT);
  const from = env.MAIL_FROM ?? `Madhouse <hello@${new URL(siteUrl).hostname}>`;
  return deepFreeze({
    /** Development prefills the setup key and shows the outbox at /dev/mail; loopback addresses only. */
    mode: development ? ('development' as const) : ('production' as const),
    /** Serve the site from its sources (`npm run dev`) instead of from build/. */
    hotReload: env.NODE_ENV === 'development',
    host: env.HOST,
    port: env.PORT,
    workers: env.WORKERS,
    siteUrl,
    dataDir,
    keysFile: env.KEYS_FILE ? resolve(env.KEYS_FILE) : join(dataDir, 'keys.json'),
    diskReserve: env.DISK_RESERVE_MB * 1024 ** 2,
    backend: env.SUPABASE_URL
      ? hostedBackend(env)
      : ownBackend({ ...env, JWT_SECRET: env.JWT_SECRET ?? (project.jwt_secret || undefined) }, dataDir),
    mail: mailOf(env, siteUrl, { folder: resolve(dataDir, 'outbox'), from }),
    captcha: captchaOf(env.CAPTCHA),
    webhookNetworks: env.WEBHOOK_NETWORKS,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    requestLog: env.REQUEST_LOG === 'on',
    metrics: env.METRICS ? metricsAt(env.METRICS) : null,
    pictureCacheBytes: env.PICTURE_CACHE_MB * 1024 ** 2,
    cdnSeconds: env.CDN_SECONDS,
    notes: notesOf(env, project),
  });
}

export async function loadConfig(): Promise<Config> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  if (config.backend.kind === 'hosted') return config;
  return readConfig(process.env, (await readProject(config.backend.supabaseDir)).auth);
}

/** The first problem of settings that are valid by themselves, and of the project's. */
function conflictOf(env: Settings, project: ProjectAuthSettings): string | null {
  if (env.MADHOUSE_DEV === '1' && !isLoopback(env.HOST))
    return `MADHOUSE_DEV requires a loopback HOST, but HOST is "${env.HOST}". Unset MADHOUSE_DEV or set HOST to 127.0.0.1.`;
  for (const name of ['site_url', 'jwt_secret'] as const) {
    const schema = name === 'site_url' ? webAddress : jwtSecret;
    const parsed = project[name] ? schema.safeParse(project[name]) : null;
    if (parsed?.error) return `[auth] ${name} of config.toml ${parsed.error.issues[0]!.message}.`;
  }
  if (env.CAPTCHA && project.captcha && !(project.captcha.enabled && env.CAPTCHA.startsWith(project.captcha.provider)))
    return `CAPTCHA does not match [auth.captcha], which ${project.captcha.enabled ? `is for ${project.captcha.provider}` : 'is disabled or has no secret'}. Use the same provider in both and set CAPTCHA_SECRET, or unset CAPTCHA.`;
  if (env.WORKERS > 1 && !env.DATABASE_URL && !env.SUPABASE_URL)
    return `WORKERS is ${env.WORKERS}, but the embedded database supports one process. Set DATABASE_URL to a PostgreSQL server or WORKERS to 1.`;
  if (env.WORKERS > 1 && env.NODE_ENV === 'development')
    return 'WORKERS applies to "npm start"; "npm run dev" is one process. Set WORKERS to 1.';
  return null;
}

function notesOf(env: Settings, project: ProjectAuthSettings): string[] {
  const note = (name: 'SITE_URL' | 'JWT_SECRET', key: keyof ProjectAuthSettings) =>
    !project[key]
      ? []
      : env[name]
        ? [`${name} from the environment is used; [auth] ${key} of config.toml is ignored`]
        : [`[auth] ${key} of config.toml is used, because ${name} is not set`];
  return [...note('SITE_URL', 'site_url'), ...note('JWT_SECRET', 'jwt_secret')];
}

function ownBackend(env: Settings, dataDir: string) {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_SESSIONS: sessions } = env;
  if (directUrl && !url)
    throw new ConfigError('DATABASE_DIRECT_URL is set without DATABASE_URL. Set that as well, or unset both.');
  const database: DatabaseChoice = url
    ? { kind: 'postgres', url, directUrl: directUrl ?? url, sessions }
    : { kind: 'embedded', folder: resolve(dataDir, 'database') };
  const objects: ObjectsChoice = s3Bucket(env) ?? { kind: 'disk', folder: resolve(dataDir, 'objects') };
  return {
    kind: 'own' as const,
    database,
    databaseMsPerMinute: env.DATABASE_MS_PER_MINUTE,
    objects,
    supabaseDir: resolve(env.SUPABASE_DIR),
    jwtSecret: env.JWT_SECRET ?? null,
    publishableKey: env.SUPABASE_PUBLISHABLE_KEY ?? null,
    secretKey: env.SUPABASE_SECRET_KEY ?? null,
    setupKey: env.SETUP_KEY ?? null,
    /** `auto`: the demo in a new embedded database, otherwise none. */
    seed: env.SEED ?? ('auto' as const),
    keepDeletedDays: env.KEEP_DELETED_DAYS,
    keepBytesDays: env.KEEP_BYTES_DAYS,
    keepAuditDays: env.KEEP_AUDIT_DAYS,
    keepArchives: env.KEEP_ARCHIVES,
    /** False: a start refuses a database that is older than the program instead of migrating it. */
    migrates: env.MIGRATE !== 'never',
    uploads: { files: env.UPLOAD_FILES, seconds: env.UPLOAD_SECONDS, officeNetworks: env.OFFICE_NETWORKS },
  };
}

/** Null when no setting of it is present. @throws ConfigError for an incomplete set */
function s3Bucket(env: Settings): S3Bucket | null {
  const { S3_URL, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  const required = { S3_URL, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 4 && !env.S3_PREFIX) return null;
  if (missing.length)
    throw new ConfigError(
      `${missing.join(' and ')} missing: uploads go to S3 only with all of ${Object.keys(required).join(', ')}. Set the rest, or none of them.`,
    );
  const url = new URL(S3_URL!);
  if (url.search || url.hash || url.username)
    throw new ConfigError('S3_URL must be an address such as https://s3.example.com, without query or user.');
  return {
    kind: 's3',
    url: url.href.replace(/\/$/, ''),
    bucket: S3_BUCKET!,
    region: env.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID!,
    secretAccessKey: S3_SECRET_ACCESS_KEY!,
    prefix: env.S3_PREFIX ? env.S3_PREFIX.replace(/\/?$/, '/') : '',
  };
}

function hostedBackend(env: Settings) {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey } = env;
  if (!publishableKey)
    throw new ConfigError(
      'SUPABASE_PUBLISHABLE_KEY is missing: with SUPABASE_URL set, copy the publishable (anon) key of that project.',
    );
  const [name, part] = env.DATABASE_URL ? ['DATABASE_URL', 'database'] : ['S3_URL', 'storage'];
  if (env.DATABASE_URL || env.S3_URL)
    throw new ConfigError(
      `${name} and SUPABASE_URL cannot both be set: a hosted project has its own ${part}. Unset one.`,
    );
  return { kind: 'hosted' as const, url: new URL(url!), publishableKey };
}

/** Hosts that no visitor can reach: local ones, and those reserved for tests and documents (RFC 2606, RFC 6761). */
const isLocalName = (host: string) => isLoopback(host) || /(^|\.)(localhost|test|example|invalid|local)$/.test(host);

/** @throws ConfigError where emails would be written to files that no one reads */
function mailOf(
  { MAIL_DELIVERY: mode, SMTP_URL: url, SUPABASE_URL: hostedBackend }: Settings,
  siteUrl: string,
  { folder, from }: { folder: string; from: string },
) {
  if (url && mode !== 'outbox') return { kind: 'smtp' as const, url, from };
  const { protocol, hostname } = new URL(siteUrl);
  const isPublic = protocol === 'https:' && !isLocalName(hostname);
  if (mode === 'smtp' || (!mode && !hostedBackend && isPublic))
    throw new ConfigError(
      `SMTP_URL is missing: ${siteUrl} could not send sign-in links, invitations or replies. Set SMTP_URL and MAIL_FROM, or MAIL_DELIVERY=outbox to write mail to ${folder} instead of sending it.`,
    );
  return { kind: 'outbox' as const, folder, from };
}

function captchaOf(value: string | undefined) {
  const [provider, siteKey] = value?.split(':') ?? [];
  return siteKey ? { provider: provider as 'turnstile' | 'hcaptcha', siteKey } : null;
}

function metricsAt(value: string): { host: string; port: number } | null {
  const [, v6, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(value) ?? [];
  return port && Number(port) > 0 && Number(port) < 65_536 ? { host: (v6 ?? name)!, port: Number(port) } : null;
}

export const listeningAt = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host}:${port}`;

function originOf(name: string, value: string): string {
  const url = new URL(value);
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    throw new ConfigError(
      `${name} must be an origin such as https://example.com, without path, query or user (it is "${value}").`,
    );
  return url.origin;
}

/** Settings that may also come from a file (NAME_FILE), and are never shown. */
const isSecret = (name: string) => /KEY|SECRET|URL$/.test(name) && !/^SITE_URL$|_FILE$/.test(name);

const displayed = (name: string, value: string | undefined) =>
  value === undefined ? 'missing' : isSecret(name) ? 'not shown' : JSON.stringify(value);

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (inner && typeof inner === 'object' && !(inner instanceof URL)) deepFreeze(inner);
  return Object.freeze(value);
}

export async function ownBackendConfig(): Promise<OwnConfig> {
  const config = await loadConfig();
  if (config.backend.kind === 'hosted')
    throw new Error('SUPABASE_URL is set: a hosted project has its own database. Unset it for this command.');
  return config as OwnConfig;
}

export const hasStarted = ({ keysFile, backend: { database } }: OwnConfig): boolean =>
  existsSync(keysFile) && (database.kind !== 'embedded' || existsSync(database.folder));

export async function startedConfig(): Promise<OwnConfig> {
  const config = await ownBackendConfig();
  if (!hasStarted(config))
    throw new Error(
      `${config.dataDir} has no installation yet: check DATA_DIR, or start it once (SEED=none npm start).`,
    );
  return config;
}
