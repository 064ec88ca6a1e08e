/** Words of Direct Admin Setup, as the specification fixes them. */
export const setup = {
  title: 'Direct Admin Setup',
  complete: 'Admin Setup Complete!',
  wrongKey: 'Invalid admin key. Please enter the correct key to create an admin account.',
  noUser: 'No user data returned',
  noUserFromSignUp: 'No user data returned from signup',
  assignByHand: 'You may need to manually assign the admin role after confirming your email.',
  confirmFirst: 'Email confirmation required! Please check your inbox and click the confirmation link.',
} as const;

/** Time until the admin area opens by itself, in ms. */
export const SETUP_REDIRECT = 3000;
