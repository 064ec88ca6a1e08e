import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import type { Env } from '../context.ts';
import { markBrowser } from '../links/own-browser.ts';
import { type Challenge, startFlow } from '../providers/flow-state.ts';
import type { SsoProvider } from './provider.ts';
import { partnerOf } from './service-provider.ts';

const MINUTES = 5;

/** Where answers arrive. */
export const CONSUMER = '/auth/v1/sso/saml/acs';

/**
 * Begins a sign-in at a provider, remembers it for five minutes, and marks the browser that asked for it.
 * @param redirectTo already checked
 * @returns the address to send the browser to, with our signed request
 */
export async function beginSignIn(
  c: Context<Env>,
  provider: SsoProvider,
  { redirectTo, challenge }: { redirectTo: string; challenge: Challenge | null },
): Promise<string> {
  const { identity } = c.var;
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const partner = await partnerOf(identity, provider, requestId);
  const relayState = await identity.db.transaction(async (tx) => {
    const flow = { challenge, provider: 'sso/saml', method: 'sso/saml', redirectTo };
    const flowId = challenge ? await startFlow(tx, flow) : null;
    const { rows } = await tx.query<{ id: string }>(
      `insert into auth.saml_relay_states (sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
       values ($1, $2, $3, $4, now(), now()) returning id`,
      [provider.id, requestId, redirectTo, flowId],
    );
    return rows[0]!.id;
  });
  markBrowser(c, relayState, CONSUMER);
  return partner.getAuthorizeUrlAsync(relayState, undefined, {});
}

export interface BegunSignIn {
  providerId: string;
  requestId: string;
  redirectTo: string;
  /** Of a client that will exchange a code. */
  flowId: string | null;
}

/** Takes a begun sign-in out: of several that bring the same relay state, one gets it. */
export async function takeSignIn(tx: Connection, relayState: string): Promise<BegunSignIn | 'unknown' | 'expired'> {
  const { rows } = await tx.query<{
    sso_provider_id: string;
    request_id: string;
    redirect_to: string;
    flow_state_id: string | null;
    fresh: boolean;
  }>(
    `delete from auth.saml_relay_states where id = $1
     returning sso_provider_id, request_id, redirect_to, flow_state_id,
       created_at > now() - interval '${MINUTES} minutes' as fresh`,
    [relayState],
  );
  const [row] = rows;
  if (!row) return 'unknown';
  if (!row.fresh) return 'expired';
  return {
    providerId: row.sso_provider_id,
    requestId: row.request_id,
    redirectTo: row.redirect_to,
    flowId: row.flow_state_id,
  };
}

/**
 * Where a begun sign-in leads, and the answer that waits for its browser.
 * @returns also whether only the browser tells whose it is: a code of the PKCE flow is worth nothing to anybody else
 */
export async function lookAtSignIn(
  db: Connection,
  relayState: string,
): Promise<{ redirectTo: string; response: string | null; byBrowser: boolean } | null> {
  const { rows } = await db.query<{ redirectTo: string; response: string | null; byBrowser: boolean }>(
    `select redirect_to as "redirectTo", response, flow_state_id is null as "byBrowser"
     from auth.saml_relay_states where id = $1`,
    [relayState],
  );
  return rows[0] ?? null;
}

/** Keeps the first answer to a begun sign-in until its browser has said that it is the one. */
export async function keepAnswer(db: Connection, relayState: string, response: string): Promise<void> {
  await db.query('update auth.saml_relay_states set response = $2 where id = $1 and response is null', [
    relayState,
    response,
  ]);
}
