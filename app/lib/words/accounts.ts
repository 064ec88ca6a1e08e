export const accounts = {
  passwordResetSent: 'Password reset link sent! Check your email inbox.',
  failedToLogIn: 'Failed to log in',
  tooShort: (minimum: number) => `Must be at least ${minimum} characters`,
  emailNotConfirmed: 'Email not confirmed',

  unreachable: 'The server could not be reached. Check your connection, then try again.',
  tooManyTries: 'Too many tries from here. Wait a few minutes, then try again.',
  tooManyMails: 'Too many codes were sent. Wait a few minutes, then try again.',
  wrongCode: 'This code is wrong or expired. Use the newest one, or request another.',
  wrongFactorCode: 'This code is wrong. It changes every 30 seconds: try the one shown now.',
  linkUsed: 'This link has expired or was used before.',
  phoneFormat: 'Begin with + and the country code, such as +91 98200 00000',
} as const;

export const RESEND_AFTER = 60;

/** Messages by error code. The text of the address itself must not be shown. */
export const arrivalWords: Readonly<Record<string, string>> = {
  access_denied: 'You cancelled the sign-in. Try again, or choose another way.',
  bad_oauth_state: 'That took too long, or it began in another browser. Start again from here.',
  bad_oauth_callback: 'The answer from the sign-in provider was incomplete. Start again from here.',
  flow_state_not_found: 'That took too long, or it began in another browser. Start again from here.',
  flow_state_expired: 'That took too long. Start again from here.',
  saml_relay_state_not_found: 'That took too long, or it began in another browser. Start again from here.',
  saml_relay_state_expired: 'That took too long. Start again from here.',
  saml_assertion_no_email: 'Your company did not tell us your email address. Ask its administrator to release it.',
  saml_assertion_no_user_id: 'Your company did not tell us who you are. Ask its administrator to check the sign-in.',
  saml_idp_not_found: 'This company sign-in is not set up here.',
  sso_provider_not_found: 'No company sign-in is set up for this address.',
  sso_provider_disabled: 'This company sign-in is switched off.',
  saml_provider_disabled: 'Company sign-in is switched off.',
  provider_disabled: 'This way to sign in is switched off. Choose another one.',
  oauth_provider_not_supported: 'This way to sign in is switched off. Choose another one.',
  email_address_invalid: 'The sign-in provider didn’t share your email address. Allow it there, or choose another way.',
  provider_email_needs_verification:
    'That account’s email address is not verified yet. We have sent you an email: confirm the address there.',
  email_not_confirmed: 'Confirm your email address first: look for our email.',
  signup_disabled: 'There is no account for you here yet, and new accounts are closed for now.',
  email_exists: 'Another account has this email address already. Sign in to that one.',
  user_banned: 'This account is closed. Write to us if you think that is a mistake.',
  identity_already_exists: 'It belongs to another account already. Sign in with it instead.',
  manual_linking_disabled: 'Accounts cannot be linked here.',
  otp_expired: 'This link has expired or was used before.',
  server_error: 'The sign-in provider had a problem. Try again in a moment.',
  temporarily_unavailable: 'The sign-in provider is busy. Try again in a moment.',
  over_request_rate_limit: 'Too many tries from here. Wait a few minutes, then try again.',
};

export const arrivalFailed = 'Signing in did not work. Try again, or choose another way.';
