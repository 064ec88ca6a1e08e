import type { AuthClient } from '@supabase/auth-js';
import type { FunctionsClient } from '@supabase/functions-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { help, setup } from '../../copy/admin/setup.ts';
import { messages } from '../../copy/messages.ts';
import { ApiError } from '../data/api-error.ts';
import { callFunction } from '../data/server-function.ts';
import { signUp } from './account.ts';
import { assignAdminRole } from './role.ts';

type Auth = InstanceType<typeof AuthClient>;

export type SetupMethod = 'direct' | 'email';

/** `manual`: the account exists, but somebody has to open a mail or assign the role by hand. */
export type SetupOutcome = 'complete' | 'manual';

export interface SetupRequest {
  key: string;
  email: string;
  password: string;
}

/** What setting up needs: the clients, where links lead back to, and a place for the log. */
export interface SetupMeans {
  auth: Auth;
  functions: FunctionsClient;
  data: (headers: Record<string, string>) => PostgrestClient;
  origin: string;
  log: (line: string, kind?: 'step' | 'warning') => void;
}

/** The server makes the account, confirmed, with the role: all or nothing. */
export async function setUpDirectly(means: SetupMeans, { key, email, password }: SetupRequest): Promise<SetupOutcome> {
  const { functions, log } = means;
  log('Asking the server to create the admin account.');
  const answer = await callFunction<{ user?: { id: string } }>(functions, 'admin-setup', { email, password }, key);
  if (!answer.success) throw new Error(answer.error || messages.unknownError);
  if (!answer.user) throw new Error(setup.noUser);
  log('The account was created, and it holds the admin role.');
  return signIn(means, email, password);
}

/**
 * Signs up like anybody else, then asks for the role with the key. The address has to be confirmed in between: whoever
 * comes back signed in goes straight on to the role.
 */
export async function setUpByEmail(means: SetupMeans, request: SetupRequest): Promise<SetupOutcome> {
  const { auth, data, log } = means;
  const { key, email, password } = request;
  const { data: known } = await auth.getSession();
  let signedIn = known.session?.user.email === email.toLowerCase();
  const isNew = !signedIn;
  if (isNew) signedIn = await signUpFirst(means, request);
  else log('You are signed in with this account.');

  log('Asking for the admin role with the setup key.');
  try {
    await assignAdminRole(data({ 'x-setup-key': key }), email);
  } catch (refusal) {
    const reason = (refusal instanceof ApiError && refusal.reason) || messages.unknownError;
    if (reason === setup.wrongKey) throw new Error(reason);
    log(isNew ? setup.createdNotAssigned(reason) : help.failedToAssign(reason), 'warning');
    log(setup.assignByHand, 'warning');
    return 'manual';
  }
  log('The account holds the admin role.');
  return signedIn ? 'complete' : signIn(means, email, password);
}

/** @returns whether the new account is signed in already; otherwise its address waits for confirmation */
async function signUpFirst({ auth, origin, log }: SetupMeans, { email, password }: SetupRequest): Promise<boolean> {
  log('Signing up.');
  const { data: made, error } = await signUp(auth, { email, password, name: email.split('@')[0]! }, origin);
  if (error) throw error;
  if (!made.user) throw new Error(setup.noUserFromSignUp);
  log('The account was created.');
  if (!made.session) log(setup.confirmFirst, 'warning');
  return made.session !== null;
}

async function signIn({ auth, log }: SetupMeans, email: string, password: string): Promise<SetupOutcome> {
  log('Signing in.');
  const { error } = await auth.signInWithPassword({ email, password });
  if (!error) return 'complete';
  log(error.code === 'email_not_confirmed' ? setup.confirmFirst : error.message, 'warning');
  return 'manual';
}
