/**
 * What a house is taken home without: whatever proves, or helps to prove, who somebody is. Tables that hold nothing else
 * are empty there, and other columns null.
 */
export const PROOFS: Record<string, 'every row' | readonly string[]> = {
  'auth.flow_state': 'every row',
  'auth.mfa_amr_claims': 'every row',
  'auth.mfa_challenges': 'every row',
  'auth.mfa_factors': 'every row',
  'auth.one_time_tokens': 'every row',
  'auth.recovery_codes': 'every row',
  'auth.refresh_tokens': 'every row',
  'auth.saml_assertions': 'every row',
  'auth.saml_relay_states': 'every row',
  'auth.sessions': 'every row',
  'auth.users': [
    'encrypted_password',
    'confirmation_token',
    'recovery_token',
    'email_change_token_new',
    'email_change_token_current',
    'phone_change_token',
    'reauthentication_token',
  ],
  'internal.mails': 'every row',
  'private.draft_secrets': 'every row',
  'private.setup_keys': 'every row',
};
