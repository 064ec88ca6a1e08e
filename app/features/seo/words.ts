export const socialSlips = {
  about: 'Human + AI + Collective',
  join: 'Every project’s profit, shared',
  experiments: 'Portfolio of the collective · newest first',
  contact: 'No deck, no pitch · answered by a person',
  privacy: 'Privacy: what we store',
  terms: 'What we agree on',
} as const;

export const feedWords = {
  subtitle: 'What happens when human hands and machines work on the same sheet, newest first.',
} as const;
