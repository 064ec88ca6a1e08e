export const uploadWords = {
  title: 'Simple Project Upload',
  created: 'Project created successfully!',
  notAuthenticated: 'Could not authenticate to create project',
  backHome: 'Back to Home',
  unadded: 'This media item is not on the list yet: choose Add Media, or empty its fields.',
  signedOut: 'You are not signed in, and only admins can upload projects.',
  notAdmin: (email: string) => `You are signed in as ${email}, who is not an admin.`,
  over: 'The server did not accept your sign-in.',
} as const;
