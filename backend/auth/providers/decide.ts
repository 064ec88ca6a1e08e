import type { Context } from 'hono';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { accountOf, type Decision, linkTo } from '../linking/linking.ts';
import { emailFor, sendEmail } from '../links/auth-emails.ts';
import { mayMail } from '../rates.ts';
import type { ProviderLogin } from './provider.ts';

export const refusedAs = (linkingUser: string | null) => ({
  action: linkingUser ? ('identity_linked' as const) : ('login' as const),
  outcome: 'refused' as const,
  actor: linkingUser,
});

export async function decide(
  tx: Transaction,
  c: Context<Env>,
  login: ProviderLogin,
  linkingUser: string | null,
): Promise<Decision> {
  const { auth } = c.var.identity.project;
  const decision = linkingUser
    ? await linkTo(tx, linkingUser, login)
    : await accountOf(tx, login, { signUps: auth.enable_signup, confirmations: auth.email.enable_confirmations });
  if (decision.kind === 'refused') {
    await record(tx, c, { ...refusedAs(linkingUser), actor: decision.actor, reason: decision.error.code });
  } else if (decision.how !== 'login') {
    await record(tx, c, { action: decision.how, outcome: 'success', actor: decision.user.id, reason: login.provider });
  }
  return decision;
}

export async function askOwner(
  tx: Transaction,
  c: Context<Env>,
  decision: Decision,
  redirectTo: string,
): Promise<void> {
  const { identity } = c.var;
  if (decision.kind !== 'refused' || !decision.mailTo?.email) return;
  if (await mayMail(identity.rates, 'signup', decision.mailTo.email, tx))
    await sendEmail(tx, identity, await emailFor(tx, identity, decision.mailTo, 'signup', redirectTo));
}
