export const accountPage = {
  title: 'Your account',
  loading: 'Looking for your account',
  failedToLoad: 'Your account could not be loaded.',
  emailHintFirst:
    'We send a link to this address. It counts once you have opened the link and clicked the button there.',
  currentPassword: 'The password you have now is not right.',
  codesLeft: (left: number, of: number) => `${left} of ${of} are left.`,
} as const;

export const accountRefusals: Readonly<Record<string, string>> = {
  email_exists: 'Another account has this email address already.',
  same_password: 'This is the password you have already. Choose another one.',
  current_password_invalid: accountPage.currentPassword,
  user_sso_managed: 'Your company looks after this account. Ask its administrator.',
  insufficient_aal: 'Show your second factor first: sign out, then sign in again with it.',
  mfa_factor_name_conflict: 'You have a second factor of this name already. Choose another name.',
  too_many_enrolled_mfa_factors: 'You have as many second factors as an account can hold. Remove one first.',
  mfa_verified_factor_exists: 'This number is a second factor of yours already.',
  mfa_factor_not_found: 'That took too long. Start again from here.',
  mfa_totp_enroll_not_enabled: 'Authenticator apps are switched off here.',
  mfa_phone_enroll_not_enabled: 'Codes by message are switched off here.',
  mfa_recovery_codes_enroll_not_enabled: 'Recovery codes are switched off here.',
  sms_send_failed: 'The message could not be sent. Check the number, or try again in a moment.',
  single_identity_not_deletable: 'This is the only way into your account, so it stays.',
  email_conflict_identity_not_deletable: 'Without it your account would have no email address.',
  manual_linking_disabled: 'Accounts cannot be connected here.',
};
