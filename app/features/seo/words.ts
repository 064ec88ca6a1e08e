export const socialSlips = {
  privacy: 'Privacy: what we store',
  terms: 'What we agree on',
} as const;
