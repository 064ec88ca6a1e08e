import type { Context } from 'hono';
import { errors } from '../errors.ts';
import type { Env } from '../identity.ts';

/** @throws ApiError 404 unless the project has SAML switched on */
export function samlOnly(c: Context<Env>): void {
  if (!c.var.identity.project.auth.saml.enabled) throw errors.samlDisabled();
}
