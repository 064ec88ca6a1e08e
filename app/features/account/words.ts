export const accountPage = {
  title: 'Your account',
  loading: 'Looking for your account',
  failedToLoad: 'Your account could not be loaded.',
  emailHintFirst:
    'We send a link to this address. The address changes once you open the link and click the button there.',
  currentPassword: 'Your current password is not right.',
  codesLeft: (left: number, of: number) => `${left} of ${of} are left.`,
} as const;

export const accountDeletion = {
  confirmation: 'DELETE',
  wrong: 'Please type "DELETE" to confirm',
  failed: 'Your account was not deleted.',
  goes: {
    title: 'What goes',
    items: [
      'Your name, email address, password, second factors and roles. You are signed out everywhere.',
      'Your drafts go to the trash, and are deleted when it is emptied. Drafts of the agency’s team stay with the agency.',
    ],
  },
  stays: {
    title: 'What stays',
    items: [
      'Your published experiments, without your account, and your name where it is credited.',
      'Issued statements and their payments with the name on them, because they are accounting records. You can no longer read them here: download your data first.',
      'Messages you sent us, and the log of what you did, for as long as we keep those of everyone.',
    ],
  },
  due: 'These instalments are still due. We pay them without your account, but you no longer see them here.',
  signInAgain: 'Then confirm once more. Nothing has been deleted.',
} as const;

export const downloadWords = {
  cutOff: 'The download broke off, so nothing was saved. Check the connection, then try again.',
  failed: 'The download could not begin. Try again in a moment.',
} as const;

export const accountRefusals: Readonly<Record<string, string>> = {
  email_exists: 'Another account has this email address already.',
  same_password: 'This is your current password. Choose another one.',
  current_password_invalid: accountPage.currentPassword,
  user_sso_managed: 'Your company manages this account. Ask its administrator.',
  insufficient_aal: 'First sign out, then sign in again with your second factor.',
  mfa_factor_name_conflict: 'You already have a second factor with this name. Choose another name.',
  too_many_enrolled_mfa_factors: 'You have the maximum number of second factors. Remove one first.',
  mfa_verified_factor_exists: 'This number is already one of your second factors.',
  mfa_factor_not_found: 'That took too long. Start again from here.',
  mfa_totp_enroll_not_enabled: 'Authenticator apps are switched off here.',
  mfa_phone_enroll_not_enabled: 'Codes by message are switched off here.',
  mfa_recovery_codes_enroll_not_enabled: 'Recovery codes are switched off here.',
  sms_send_failed: 'The message could not be sent. Check the number, or try again in a moment.',
  single_identity_not_deletable: 'This is your only way to sign in, so it can’t be removed.',
  email_conflict_identity_not_deletable: 'Without it your account would have no email address.',
  manual_linking_disabled: 'Accounts cannot be connected here.',
};
