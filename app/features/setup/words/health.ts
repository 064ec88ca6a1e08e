export type CheckWords = { says: string; mend: string | null };

export const healthNames = {
  server: 'Server',
  clock: 'Clock',
  database: 'Database',
  storage: 'Storage',
  mail: 'Mail',
  captcha: 'Captcha',
  admin: 'Admins',
  setupKey: 'Setup key',
  secondFactor: 'Second factor',
  backup: 'Last verified restore',
} as const;

export type HealthPart = keyof typeof healthNames;

const noDatabase: CheckWords = {
  says: 'This check needs the database.',
  mend: 'See Database above; this check depends on it.',
};
const hosted: CheckWords = {
  says: 'The hosting service does not report this.',
  mend: 'Check the project’s dashboard at the hosting service.',
};

export const healthWords: Record<HealthPart, Record<string, CheckWords>> = {
  server: {
    answers: { says: 'This page reaches the server.', mend: null },
    silent: {
      says: 'This page gets no answer from the server.',
      mend: 'Look whether this device is online and try again. If other sites open, ask the person who runs the server to restart it.',
    },
  },
  clock: {
    right: { says: 'This device and the server agree about the time.', mend: null },
    wrong: {
      says: 'This device and the server do not agree about the time.',
      mend: 'Turn on automatic time in this device’s date and time settings. Signing in and codes from a phone need the right time. If the device is right, ask the person who runs the server to correct its clock.',
    },
    unknown: { says: 'The clocks can’t be compared while the server is unreachable.', mend: null },
  },
  database: {
    answers: { says: 'It responds quickly.', mend: null },
    slow: {
      says: 'It answers slowly.',
      mend: 'Wait a minute and check again. If it stays slow, ask the person who runs the server whether it is busy or short of memory.',
    },
    silent: {
      says: 'It does not respond, or its tables are missing.',
      mend: 'Restart the server: it updates the tables and logs what is wrong. On hosted Supabase, run the migrations.',
    },
  },
  storage: {
    answers: { says: 'Pictures and videos can be read and uploaded.', mend: null },
    full: {
      says: 'The disk is nearly full, so uploads are refused.',
      mend: 'Ask the person who runs the server to free disk space. Uploads then continue automatically.',
    },
    missing: {
      says: 'The folder for uploads is missing.',
      mend: 'Restart the server, which creates the folder. On hosted Supabase, run the migrations.',
    },
    silent: {
      says: 'The storage does not respond.',
      mend: 'Ask the person who runs the server to check that the uploads folder exists and is writable.',
    },
  },
  mail: {
    answers: { says: 'The mail server accepts email. No test email was sent.', mend: null },
    outbox: {
      says: 'Mail isn’t configured: emails are saved to the outbox on the server and reach no one.',
      mend: 'Ask the person who runs the server to set SMTP_URL. Until then they can read the links in the outbox folder.',
    },
    late: {
      says: 'Emails have waited for more than ten minutes.',
      mend: 'Contact messages are in Messages too. If emails stay unsent, the mail server refuses them: check the agency’s address in Settings.',
    },
    away: {
      says: 'The mail server does not respond, or rejects the sign-in.',
      mend: 'Emails are retried for an hour. Ask the person who runs the server to check SMTP_URL and the mail server.',
    },
    hosted,
  },
  captcha: {
    off: { says: 'The captcha is switched off.', mend: null },
    works: { says: 'The captcha service works.', mend: null },
    refused: {
      says: 'The captcha service rejects our secret, so no one can sign in with a password.',
      mend: 'Ask the person who runs the server to correct CAPTCHA_SECRET, or to leave CAPTCHA and CAPTCHA_SECRET empty to switch the captcha off.',
    },
    away: {
      says: 'The captcha service does not respond, so signing in may fail.',
      mend: 'Wait a while. If it lasts, ask the person who runs the server to leave CAPTCHA and CAPTCHA_SECRET empty for the time being.',
    },
    hosted,
  },
  admin: {
    several: { says: 'More than one account can manage the site.', mend: null },
    one: {
      says: 'One account can manage the site.',
      mend: 'A second admin is a good idea, in case one is ill or loses a phone: Users, or Assign Role here.',
    },
    none: {
      says: 'No account that can sign in is an admin.',
      mend: 'Use the setup key at Direct Admin Setup. The person who runs the server can make a new key.',
    },
    noDatabase,
  },
  setupKey: {
    closed: { says: 'The setup key is switched off, because there is an admin.', mend: null },
    waiting: {
      says: 'The setup key is unused: there is no admin yet.',
      mend: 'Open Direct Admin Setup and use the key before it expires.',
    },
    missing: {
      says: 'There is no admin and no valid setup key.',
      mend: 'Ask the person who runs the server to restart it: it prints a new key, good for a day.',
    },
    noDatabase,
  },
  secondFactor: {
    on: { says: 'Admins show a code from their phone when they sign in.', mend: null },
    off: {
      says: 'A password alone is enough to become an admin here.',
      mend: 'Set up your own second factor in your account, then switch it on for all admins in Settings, Security.',
    },
    noDatabase,
  },
  backup: {
    whole: { says: 'The newest archive was verified: the site could be restored from it.', mend: null },
    old: {
      says: 'The newest verified archive is more than eight days old. Newer changes would be lost.',
      mend: 'Ask the person who runs the server to run “npm run archive -- make FILE”, and to check in its log why daily archives fail.',
    },
    failed: {
      says: 'The last archive failed or is damaged.',
      mend: 'Ask the person who runs the server to check its log, to free disk space, and to run “npm run archive -- make FILE”.',
    },
    none: {
      says: 'No archive has been verified yet, so it is unknown whether the site could be restored.',
      mend: 'With the built-in database the server creates one within two hours of its start. Otherwise ask the person who runs it to run “npm run archive -- make FILE”.',
    },
    elsewhere: {
      says: 'Backups are made outside the site, so their age is unknown here.',
      mend: 'Ask the person who runs the server when the last copy of the data folder or database was made and tested.',
    },
    noDatabase,
  },
};
