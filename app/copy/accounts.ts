/** Words of the pages where people sign in, sign up and mend their access. */
export const accounts = {
  passwordResetSent: 'Password reset link sent! Check your email inbox.',
  failedToLogIn: 'Failed to log in',
  minimumPassword: 6,
  tooShort: (minimum: number) => `Must be at least ${minimum} characters`,
  emailNotConfirmed: 'Email not confirmed',
} as const;
