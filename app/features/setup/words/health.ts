interface Words {
  says: string;
  mend: string | null;
}

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

const noDatabase: Words = { says: 'Only the database knows.', mend: 'See Database above; this follows by itself.' };
const hosted: Words = { says: 'The hosting service does not tell.', mend: 'Look into the project’s dashboard there.' };

export const healthWords: Record<HealthPart, Record<string, Words>> = {
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
      mend: 'Let this device set its time by itself, in its date and time settings. Signing in and codes from a phone need the right time. If the device is right, the server is wrong: ask the person who runs it.',
    },
    unknown: { says: 'Without the server there is nothing to compare with.', mend: null },
  },
  database: {
    answers: { says: 'It answers, and quickly.', mend: null },
    slow: {
      says: 'It answers slowly.',
      mend: 'Wait a minute and check again. If it stays so, ask the person who runs the server whether it is busy or short of memory.',
    },
    silent: {
      says: 'It does not answer, or its tables are missing.',
      mend: 'Restart the server: it brings the tables up to date and prints what is wrong. On hosted Supabase, run the migrations.',
    },
  },
  storage: {
    answers: { says: 'Pictures and videos can be read and uploaded.', mend: null },
    full: {
      says: 'The disk is nearly full, so uploads are refused.',
      mend: 'Ask the person who runs the server to make room. Uploads go on by themselves then.',
    },
    missing: {
      says: 'The place for uploads is missing.',
      mend: 'Restart the server: it makes it again. On hosted Supabase, run the migrations.',
    },
    silent: {
      says: 'The storage does not answer.',
      mend: 'Ask the person who runs the server to look whether the folder of uploads is there and can be written to.',
    },
  },
  mail: {
    answers: { says: 'The mail server takes mails. Nothing was sent to find out.', mend: null },
    outbox: {
      says: 'Mail isn’t configured: emails are saved to the outbox on the server and reach no one.',
      mend: 'Ask the person who runs the server to set SMTP_URL. Until then they can read the links in the outbox folder.',
    },
    late: {
      says: 'Messages from the contact form wait to be mailed.',
      mend: 'They are safe and in Messages. If it stays so, the mail server refuses them: check the agency’s address in Settings.',
    },
    away: {
      says: 'The mail server does not answer, or rejects our credentials.',
      mend: 'Mails are kept for an hour and tried again. Ask the person who runs the server to check SMTP_URL and whether the mail server is up.',
    },
    hosted,
  },
  captcha: {
    off: { says: 'It is switched off: no one has to solve one.', mend: null },
    works: { says: 'The captcha service answers and knows us.', mend: null },
    refused: {
      says: 'The captcha service does not know our secret, so no one can sign in with a password.',
      mend: 'Ask the person who runs the server to correct CAPTCHA_SECRET, or to leave it empty to switch the captcha off.',
    },
    away: {
      says: 'The captcha service does not answer, so signing in may fail.',
      mend: 'Wait a while. If it lasts, ask the person who runs the server to leave CAPTCHA_SECRET empty for the time being.',
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
    closed: { says: 'It is closed, because there is an admin.', mend: null },
    waiting: {
      says: 'It has not been used: there is no admin yet.',
      mend: 'Open Direct Admin Setup and use it before it runs out.',
    },
    missing: {
      says: 'There is no admin and no key that counts.',
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
    whole: { says: 'The newest archive was read back whole: the site could be restored as it was then.', mend: null },
    old: {
      says: 'The newest archive that was read back whole is more than eight days old. What came since would be lost.',
      mend: 'Ask the person who runs the server to run “npm run archive -- make FILE”, or to look why none is made every day: its log says so.',
    },
    failed: {
      says: 'The last archive could not be made, or was found damaged.',
      mend: 'Ask the person who runs the server to look into its log, to make room on the disk, and to run “npm run archive -- make FILE”.',
    },
    none: {
      says: 'No archive has been verified yet, so it is unknown whether the site could be restored.',
      mend: 'With its own database the server makes one within two hours of its start. Otherwise ask the person who runs it to run “npm run archive -- make FILE”.',
    },
    elsewhere: {
      says: 'Backups are made outside the site, so it cannot see how old the last one is.',
      mend: 'Ask the person who runs the server when the last copy of the data folder, or of the database, was made and tried out.',
    },
    noDatabase,
  },
};

export const health = {
  state: { fine: 'Fine', look: 'Needs attention', unknown: 'Cannot be checked' },
} as const;
