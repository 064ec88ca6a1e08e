export const users = {
  title: 'Users',
  failedToChange: 'That did not work. Nothing was changed.',
  banLengths: { '24h': 'A day', '168h': 'A week', '720h': '30 days', '8760h': 'A year', '': 'Permanently' },
  toYourself: {
    withdraw_admin: 'This is you: the admin area closes for you at once, and only another admin can let you in again.',
    make_editor:
      'This is you: users, settings, money and the log close for you, and only another admin can reopen them.',
  } as Record<string, string>,
  removeProjects: (count: number | null) =>
    count === null
      ? 'Their projects stay as they are; afterwards their owner can no longer sign in.'
      : count === 0
        ? 'They have created no projects.'
        : `Their ${count === 1 ? 'project stays as it is; afterwards it belongs' : `${count} projects stay as they are; afterwards they belong`} to no one who can sign in.`,
} as const;

type OfName = (name: string) => string;
const withdrawal = (role: string) => ({
  label: `Withdraw ${role} role`,
  question: {
    title: (name: string) => `Take the ${role} role from ${name}?`,
    text: 'They keep their account and their projects, and can no longer open the admin area.',
  },
  done: (name: string) => `${name} is no longer an ${role}.`,
});

export const userActions = {
  make_editor: {
    label: 'Make editor',
    question: {
      title: (name) => `Make ${name} an editor?`,
      text: 'Editors work with projects, reviews, pages, media and messages. Users, settings, money and the log stay with admins.',
    },
    done: (name) => `${name} is an editor now.`,
  },
  withdraw_editor: withdrawal('editor'),
  make_admin: {
    label: 'Make admin',
    question: {
      title: (name) => `Make ${name} an admin?`,
      text: 'Admins see everything, change everything, and can make and remove other admins.',
    },
    done: (name) => `${name} is an admin now.`,
  },
  withdraw_admin: withdrawal('admin'),
  confirm: { label: 'Verify email', done: (name) => `${name} is verified.` },
  reset_password: { label: 'Send reset link', done: (name) => `${name} gets a reset link by email.` },
  remove_factors: {
    label: 'Remove second factors',
    question: {
      title: (name) => `Remove the second factors of ${name}?`,
      text: 'For someone who lost their phone. From then on their password alone signs them in, until they set up a new one. Make sure the request really comes from them.',
    },
    done: (name) => `${name} signs in without a second factor now.`,
  },
  ban: {
    label: 'Ban',
    question: {
      title: (name) => `Ban ${name}?`,
      text: 'They are signed out everywhere and cannot sign in until the ban is over. Their projects stay as they are.',
    },
    done: (name) => `${name} is banned and signed out.`,
  },
  unban: { label: 'Unban', done: (name) => `${name} can sign in again.` },
  delete: {
    label: 'Delete account',
    question: {
      title: (name) => `Delete the account of ${name}?`,
      text: 'They can never sign in with it again, and what we know of them is erased: address, name, number, roles. This action cannot be undone, and accounts are not kept in the trash.',
    },
    done: (name) => `The account of ${name} is deleted.`,
  },
} as const satisfies Record<string, { label: string; question?: { title: OfName; text: string }; done: OfName }>;
