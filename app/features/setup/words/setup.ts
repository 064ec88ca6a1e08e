export const setup = {
  title: 'Direct Admin Setup',
  complete: 'Admin Setup Complete!',
  wrongKey: 'Invalid admin key. Please enter the correct key to create an admin account.',
  noUser: 'No user data returned',
  noUserFromSignUp: 'No user data returned from signup',
  createdNotAssigned: (reason: string) => `User created but failed to assign admin role: ${reason}`,
  assignByHand: 'You may need to manually assign the admin role after confirming your email.',
  confirmFirst: 'Email confirmation required! Please check your inbox and click the confirmation link.',
} as const;

export const helpWords = {
  title: 'Admin Help',
  roleAssigned: 'Admin role assigned successfully! You can now log in with your credentials.',
  directTitle: 'Direct Admin Access',
  failedToAssign: (reason: string) => `Failed to assign admin role: ${reason}`,
  createdNotAssigned: (reason: string) => `Account created but failed to assign admin role: ${reason}`,
  createdNotSignedIn: (reason: string) => `Account created but couldn't sign in: ${reason}`,
  verifyTitle: 'Verify User',
  verified: 'User Verified Successfully!',
  invalidEmail: 'Please enter a valid email address',
  failedToVerifyUser: 'Failed to verify user',
  failedToVerifyEmail: 'Failed to verify email',
} as const;

export const setupKey = {
  label: 'Setup key',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  hint: 'Only needed when you are not signed in as an admin. The key works once, before there is an admin.',
} as const;

export const SETUP_REDIRECT = 3000;
export const DIRECT_REDIRECT = 1000;
