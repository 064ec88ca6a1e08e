import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import * as z from 'zod';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { isService } from '../http/caller.ts';
import { recordInBackground } from './audit.ts';
import { optional, readBody } from './body.ts';
import type { AuthRequest, Env } from './context.ts';
import { errors } from './errors.ts';

type CaptchaSettings = SupabaseProject['auth']['captcha'];

const TIMEOUT_MS = 10_000;
const MAX_TOKEN_LENGTH = 8192;

const SITEVERIFY = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
};

const Body = z.object({ gotrue_meta_security: optional(z.object({ captcha_token: optional(z.string()) })) });
const Verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

export const captcha: MiddlewareHandler<Env> = async (c, next) => {
  await requireCaptcha(c);
  await next();
};

/** Callers with the service key need no captcha. @throws ApiError 400 captcha_failed, 500 when the provider is down */
export async function requireCaptcha(c: AuthRequest): Promise<void> {
  const { project, keys, issuer } = c.var.identity;
  if (!project.auth.captcha.enabled || (await isService(c.req.raw.headers, keys, issuer))) return;
  const token = (await readBody(c, Body)).gotrue_meta_security?.captcha_token?.trim();
  const problems = token && token.length <= MAX_TOKEN_LENGTH ? await verifyToken(c, token) : ['no captcha_token found'];
  if (!problems) return;
  recordInBackground(c, { action: 'captcha', outcome: 'refused', reason: c.req.path });
  throw errors.captcha(problems.join(', '));
}

/** Checks reachability and secret with an invalid token: the error code must not be the one for a bad secret. */
export async function captchaState(settings: CaptchaSettings): Promise<'off' | 'works' | 'refused' | 'away'> {
  if (!settings.enabled) return 'off';
  try {
    const verdict = await siteverify(settings, { response: 'reachability check' });
    return verdict['error-codes'].some((code) => code.endsWith('-input-secret')) ? 'refused' : 'works';
  } catch {
    return 'away';
  }
}

async function siteverify({ provider, secret, url }: CaptchaSettings, fields: Record<string, string>) {
  const body = new URLSearchParams({ secret, ...fields });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url || SITEVERIFY[provider], { method: 'POST', body, redirect: 'error', signal });
  return Verdict.parse(await response.json());
}

async function verifyToken(c: AuthRequest, token: string): Promise<string[] | null> {
  const { project, log } = c.var.identity;
  const { captcha: settings } = project.auth;
  // An IPv6 client is known by its network prefix only, which is not an address.
  const client: Record<string, string> = isIP(c.env.address) ? { remoteip: c.env.address } : {};
  try {
    const verdict = await siteverify(settings, { response: token, ...client });
    return verdict.success ? null : verdict['error-codes'].slice(0, 5).map((code) => code.slice(0, 60));
  } catch (err) {
    log.error({ err, provider: settings.provider }, 'captcha provider unreachable');
    throw errors.captchaAway();
  }
}
