export const accountPage = {
  title: 'Your account',
  loading: 'Looking for your account',
  failedToLoad: 'Your account could not be loaded.',
  signedOut: 'Sign in to see your account.',

  nameSaved: 'Your name is saved.',
  emailHint: 'We send a link to the new address and one to the address you have now. Both have to say yes.',
  emailHintFirst:
    'We send a link to this address. It counts once you have opened the link and pressed the button there.',
  emailWaiting: (address: string) => `${address} waits to be confirmed.`,
  emailBoth: 'Open the links in both mailboxes, the old and the new one. Until then nothing changes.',
  emailAgain: 'Sent again. Look in both mailboxes, and in the spam folders.',
  emailChanged: (address: string) => `Your address is ${address} now.`,
  passwordSaved: 'Your new password is set. Other devices are signed out.',
  currentPassword: 'The password you have now is not right.',

  loginsIntro: 'Ways to sign in besides your e-mail address.',
  loginAdded: 'The login is connected. You can sign in with it from now on.',
  loginGone: (label: string) => `${label} is disconnected.`,
  disconnectQuestion: (label: string) => `You can no longer sign in with ${label}. You can connect it again later.`,

  factorsIntro:
    'With a second factor, a password alone opens nothing: whoever signs in also shows a code from your phone.',
  noFactors: 'You have none yet.',
  scan: 'Scan this with an authenticator app, such as the one in your password manager.',
  scanHere: 'On this phone? Open your authenticator app with one tap.',
  secret: 'No camera? Type this key into the app instead.',
  appCode: 'Then type the six digits the app shows.',
  factorAdded: 'Your second factor is set up. Other devices that had not shown one are signed out.',
  phoneIntro: 'We send a code to this number whenever you sign in.',
  removeQuestion: (name: string) => `“${name}” will no longer be asked for when you sign in.`,
  removeLast:
    'It is your only second factor: after this, your password alone opens the account, and your recovery codes are void.',
  factorRemoved: (name: string) => `“${name}” is removed.`,

  codesIntro: 'Recovery codes stand in for your phone on the day it is lost. Each works once.',
  codesNext: 'One more step: make recovery codes now. They let you in when your phone is lost.',
  codesNone: 'You have none yet. Make them now, while you have your phone.',
  codesLeft: (left: number, of: number) => `${left} of ${of} are left.`,
  codesOnce: 'These are shown this once. Keep them where you keep other papers that matter, not on your phone.',
  codesReplace: 'The codes you have now stop working as soon as new ones are made.',
  codesFile: 'recovery-codes.txt',

  elsewhereIntro: 'If you have signed in on a device that is not with you, sign it out from here.',
  elsewhereDone: 'You are signed out everywhere but here.',
} as const;

export const accountRefusals: Readonly<Record<string, string>> = {
  email_exists: 'Another account has this e-mail address already.',
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
  email_conflict_identity_not_deletable: 'Without this login your account would have no address of its own.',
  manual_linking_disabled: 'Logins cannot be connected here.',
};
