import type { Context } from 'hono';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { type LoginDecision, linkIdentity, resolveAccount } from '../linking/resolve-account.ts';
import { emailFor, sendEmail } from '../links/auth-emails.ts';
import { mayMail } from '../rates.ts';
import type { ProviderLogin } from './provider.ts';

export const refusalEvent = (linkingUser: string | null) => ({
  action: linkingUser ? ('identity_linked' as const) : ('login' as const),
  outcome: 'refused' as const,
  actor: linkingUser,
});

export async function resolveLogin(
  tx: Transaction,
  c: Context<Env>,
  login: ProviderLogin,
  linkingUser: string | null,
): Promise<LoginDecision> {
  const { auth } = c.var.identity.project;
  const decision = linkingUser
    ? await linkIdentity(tx, linkingUser, login)
    : await resolveAccount(tx, login, { signUps: auth.enable_signup, confirmations: auth.email.enable_confirmations });
  if (decision.kind === 'refused') {
    await record(tx, c, { ...refusalEvent(linkingUser), actor: decision.actor, reason: decision.error.code });
  } else if (decision.how !== 'login') {
    await record(tx, c, { action: decision.how, outcome: 'success', actor: decision.user.id, reason: login.provider });
  }
  return decision;
}

export async function sendConfirmation(
  tx: Transaction,
  c: Context<Env>,
  decision: LoginDecision,
  redirectTo: string,
): Promise<void> {
  const { identity } = c.var;
  if (decision.kind !== 'refused' || !decision.unconfirmedUser?.email) return;
  if (await mayMail(identity.rates, 'signup', decision.unconfirmedUser.email, tx))
    await sendEmail(tx, identity, await emailFor(tx, identity, decision.unconfirmedUser, 'signup', redirectTo));
}
