import type { FunctionsClient } from '@supabase/functions-js';
import { signUp } from '#features/account/model/account.ts';
import { callFunction } from '#lib/data/server-function.ts';
import { messages } from '#lib/words/messages.ts';
import { helpWords, setup } from '../words/setup.ts';
import { type DirectRequest, type DirectServices, requestAdminRole } from './direct-access.ts';

export type SetupOutcome = 'complete' | 'manual';

export type SetupRequest = Required<DirectRequest>;

export interface SetupMeans extends DirectServices {
  functions: FunctionsClient;
  origin: string;
  log: (line: string, kind?: 'step' | 'warning') => void;
}

export async function setUpDirectly(means: SetupMeans, { key, email, password }: SetupRequest): Promise<SetupOutcome> {
  const { log } = means;
  log('Creating the admin account on the server.');
  const answer = await adminSetup(means, { email, password }, key);
  if (!answer.user) throw new Error('No user data returned');
  log('The account was created and has the admin role.');
  return signIn(means, email, password);
}

/**
 * Signs up by email, then requests the role with the key. The address has to be confirmed in between; the second run,
 * already signed in, only requests the role. A wrong key creates no account and sends no mail.
 */
export async function setUpByEmail(means: SetupMeans, request: SetupRequest): Promise<SetupOutcome> {
  const { auth, log } = means;
  const { key, email, password } = request;
  log('Checking the setup key.');
  await adminSetup(means, { check: true }, key);
  const { data: known } = await auth.getSession();
  let signedIn = known.session?.user.email === email.toLowerCase();
  const isNew = !signedIn;
  if (isNew) signedIn = await signUpFirst(means, request);
  else log('You are signed in with this account.');

  log('Requesting the admin role with the setup key.');
  const reason = await requestAdminRole(means, request);
  if (reason === 'Invalid admin key. Please enter the correct key to create an admin account.') throw new Error(reason);
  if (reason) {
    const text = isNew ? `User created but failed to assign admin role: ${reason}` : helpWords.failedToAssign(reason);
    log(text, 'warning');
    log(setup.assignByHand, 'warning');
    return 'manual';
  }
  log('The account has the admin role.');
  return signedIn ? 'complete' : signIn(means, email, password);
}

/** @throws Error with the server's message */
async function adminSetup({ functions }: SetupMeans, body: Record<string, unknown>, key: string) {
  const answer = await callFunction<{ user?: { id: string } }>(functions, 'admin-setup', body, key);
  if (!answer.success) throw new Error(answer.error || messages.unknownError);
  return answer;
}

/** @returns whether the new account is already signed in; otherwise its address must be confirmed first */
async function signUpFirst({ auth, origin, log }: SetupMeans, { email, password }: SetupRequest): Promise<boolean> {
  log('Signing up.');
  const { data: made, error } = await signUp(auth, { email, password, name: email.split('@')[0]! }, origin);
  if (error) throw error;
  if (!made.user) throw new Error('No user data returned from signup');
  log('The account was created.');
  if (!made.session) log(setup.confirmFirst, 'warning');
  return made.session !== null;
}

async function signIn({ auth, log }: SetupMeans, email: string, password: string): Promise<SetupOutcome> {
  log('Signing in.');
  const { error } = await auth.signInWithPassword({ email, password });
  if (!error) return 'complete';
  if (error.code !== 'email_not_confirmed') throw error;
  log(setup.confirmFirst, 'warning');
  return 'manual';
}
