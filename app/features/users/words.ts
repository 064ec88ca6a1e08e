export const users = {
  title: 'Users',
  caption: 'All accounts, newest first',
  loading: 'Loading users',
  failed: 'Failed to load users',
  none: 'No accounts yet.',
  noMatch: 'No users match.',
  search: 'Search email, name and phone',
  count: (total: number) => (total === 1 ? '1 account' : `${total} accounts`),
  noAddress: 'No address',
  you: 'You',
  refused: 'The server refused this and gave no reason.',
  failedToChange: 'That did not work. Nothing was changed.',
  notVerified: 'Not yet',
  invited: 'Invited',
  never: 'Never',
  noRole: 'None',
  factors: (count: number) => (count === 0 ? 'None' : count === 1 ? 'On' : `On, ${count} of them`),
  bannedForGood: 'Banned permanently',
  bannedUntil: 'Banned until',

  invite: 'Invite a user',
  inviteTitle: 'Invite a user',
  inviteText: 'They get an email with a link to choose a password. They become an admin only when you make them one.',
  inviteNoMail:
    'Mail isn’t configured: invitations are saved to the outbox on the server and reach no one. The person who runs the server can pass on the link from there.',
  inviteMailAway: 'The mail server isn’t responding. Invitations are sent once it does.',
  inviteEmail: 'Email',
  inviteName: 'Name',
  inviteNameHint: 'If you know it.',
  inviteSend: 'Send invitation',
  inviteSending: 'Sending...',
  inviteWrong: 'Please enter a valid email address',
  inviteDone: (email: string) => `${email} is invited.`,
  inviteSaved: (email: string) => `The invitation for ${email} is in the outbox. No email was sent.`,

  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  working: 'Working...',
  confirmPhone: 'Verify phone',
  ownAccount: 'This is your own account: another admin has to ban or delete it. Your second factors are at /account.',
  withdrawOwn: 'This is you: the admin area closes for you at once, and only another admin can let you in again.',
  banLength: 'For how long?',
  banLengths: { '24h': 'A day', '168h': 'A week', '720h': '30 days', '8760h': 'A year', '': 'For good' },
  removeProjects: (count: number | null) =>
    count === null
      ? 'Their projects stay as they are; afterwards their owner can no longer sign in.'
      : count === 0
        ? 'They have created no projects.'
        : `Their ${count === 1 ? 'project stays as it is; afterwards it belongs' : `${count} projects stay as they are; afterwards they belong`} to no one who can sign in.`,
  removeTeams: 'Their name stays in project teams.',
  banInstead: 'To lock someone out for a while, ban them instead.',
} as const;

interface ActionWords {
  label: string;
  question?: { title: (name: string) => string; text: string };
  done: (name: string) => string;
}

export const userActions = {
  make_admin: {
    label: 'Make admin',
    question: {
      title: (name) => `Make ${name} an admin?`,
      text: 'Admins see everything, change everything, and can make and remove other admins.',
    },
    done: (name) => `${name} is an admin now.`,
  },
  withdraw_admin: {
    label: 'Withdraw admin role',
    question: {
      title: (name) => `Take the admin role from ${name}?`,
      text: 'They keep their account and their projects, and can no longer open the admin area.',
    },
    done: (name) => `${name} is no admin any more.`,
  },
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
} as const satisfies Record<string, ActionWords>;
