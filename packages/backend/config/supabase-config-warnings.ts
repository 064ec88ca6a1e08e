import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSection } from './supabase-config-file.ts';

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

export function warningsOf(folder: string, settings: Section, enabledSections: ReadonlySet<string>): string[] {
  const enabledPaths = (pattern: string) => pathsOf(settings, pattern.split('.')).filter(({ value }) => value === true);
  const empty = ['auth.external.*.enabled', 'auth.hook.send_sms.enabled', 'auth.captcha.enabled']
    .flatMap(enabledPaths)
    .map(({ path }) => path.replace(/\.enabled$/, ''))
    .filter((path) => !enabledSections.has(path))
    .map(
      (path) =>
        `[${path}] is disabled: required values are empty. Set them in the environment, or set enabled = false.`,
    );
  const missing = UNSUPPORTED.flatMap(enabledPaths)
    .filter(({ path }) => path !== 'auth.hook.send_sms.enabled')
    .map(({ path }) => `${path} = true has no effect: not supported by this backend.`);
  const alwaysEnabled = ALWAYS_ENABLED.flatMap((pattern) => pathsOf(settings, pattern.split('.')))
    .filter(({ value }) => value === false)
    .map(({ path }) => `${path} = false has no effect: always enabled in this backend.`);
  const smtp = enabledPaths('auth.email.smtp.enabled').map(
    () => '[auth.email.smtp] has no effect: set SMTP_URL instead.',
  );
  return [...empty, ...missing, ...alwaysEnabled, ...smtp, ...denoOnlyFunctions(folder)];
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
