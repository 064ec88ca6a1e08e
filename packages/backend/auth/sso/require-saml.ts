import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';

export function requireSaml(c: Context<Env>): void {
  if (!c.var.identity.project.auth.saml.enabled) throw errors.samlDisabled();
}
