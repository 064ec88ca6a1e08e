export const setup = {
  title: 'Direct Admin Setup',
  complete: 'Admin Setup Complete!',
  assignByHand: 'You may need to manually assign the admin role after confirming your email.',
  confirmFirst: 'Email confirmation required! Please check your inbox and click the confirmation link.',
} as const;

export const helpWords = {
  title: 'Admin Help',
  directTitle: 'Direct Admin Access',
  failedToAssign: (reason: string) => `Failed to assign admin role: ${reason}`,
  verifyTitle: 'Verify User',
} as const;

export const setupKey = {
  label: 'Setup key',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  hint: 'Only needed when you are not signed in as an admin. The key works once, before there is an admin.',
} as const;
