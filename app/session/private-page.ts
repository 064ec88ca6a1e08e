/** Headers of pages that belong to a session or hold a one-time link: kept nowhere, indexed nowhere, telling nobody. */
export const privatePage = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};
