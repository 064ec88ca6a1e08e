import type { AuthClient } from '@supabase/auth-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { signUp } from '#features/account/model/account.ts';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { askNeedsSecondFactor, assignAdminRole, findRole } from '#features/account/model/role.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { helpWords } from '../words/setup.ts';

export type DirectRequest = { email: string; password: string; key?: string };

export interface DirectServices {
  auth: InstanceType<typeof AuthClient>;
  data: (headers?: Record<string, string>) => PostgrestClient;
}

/** Also requests the role for an account without a role. @throws Error with a readable message */
export async function signInDirectly(means: DirectServices, request: DirectRequest): Promise<void> {
  const { data, error } = await means.auth.signInWithPassword(request);
  if (error) throw error;
  const level = await means.auth.mfa.getAuthenticatorAssuranceLevel();
  if (level.data?.nextLevel === 'aal2') return;
  if ((await findRole(means.data(), data.user.id)) || (await askNeedsSecondFactor(means.data()))) return;
  const refusal = await requestAdminRole(means, request);
  if (refusal) throw new Error(helpWords.failedToAssign(refusal));
}

/** Creates an account, requests the role, then signs in. @throws Error whose message names the failed step */
export async function createDirectly(means: DirectServices, request: DirectRequest, origin: string): Promise<void> {
  const account = { ...request, name: request.email.split('@')[0]! };
  const { data, error } = await signUp(means.auth, account, origin);
  if (error) throw error;
  if (!data.user) throw new Error(messages.failedToCreateAccount);
  const refusal = await requestAdminRole(means, request);
  if (refusal) throw new Error(`Account created but failed to assign admin role: ${refusal}`);
  if (data.session) return;
  const signedIn = await means.auth.signInWithPassword(request);
  if (signedIn.error)
    throw new Error(`Account created but couldn't sign in: ${identityMessage(signedIn.error, messages.unknownError)}`);
}

/** @returns the reason for a refusal, else null */
export async function requestAdminRole({ data }: DirectServices, { email, key }: DirectRequest) {
  try {
    await assignAdminRole(data(key ? { 'x-setup-key': key } : undefined), email);
    return null;
  } catch (refusal) {
    return (refusal instanceof ApiError && refusal.reason) || messages.unknownError;
  }
}
