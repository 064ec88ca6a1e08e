import type { Context } from 'hono';
import * as z from 'zod';
import { optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { readChallenge } from '../providers/flow-state.ts';
import { isAllowed, redirectOf } from '../redirect.ts';
import { isUuid } from '../sessions/bearer.ts';
import { requireSaml } from './require-saml.ts';
import { findProvider, findProviderByDomain } from './sso-provider.ts';
import { startSignIn } from './start-sign-in.ts';

const Body = z.object({
  provider_id: optional(z.string()),
  domain: optional(z.string().max(255)),
  redirect_to: optional(z.string()),
  skip_http_redirect: optional(z.boolean()),
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
});

export async function startSso(c: Context<Env>) {
  requireSaml(c);
  const { config, project, db } = c.var.identity;
  const body = await readBody(c, Body);
  if (body.provider_id && body.domain)
    throw errors.invalid('Only one of provider_id or domain supported, but not both');
  if (!body.provider_id && !body.domain) throw errors.invalid('A provider_id or domain must be provided');
  if (body.provider_id && !isUuid(body.provider_id)) throw errors.invalid('provider_id must be an UUID');
  const challenge = readChallenge(body);
  const provider = body.provider_id
    ? await findProvider(db, body.provider_id)
    : await findProviderByDomain(db, body.domain!.trim());
  if (!provider)
    throw errors.noSuchSsoProvider(body.domain ? 'No SSO provider assigned for this domain' : 'No such SSO provider');
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const requested = body.redirect_to;
  const redirectTo =
    requested && isAllowed(requested, config.siteUrl, project.auth.additional_redirect_urls)
      ? requested
      : redirectOf(c);
  const url = await startSignIn(c, provider, { redirectTo, challenge });
  return body.skip_http_redirect ? c.json({ url }) : c.redirect(url, 303);
}
