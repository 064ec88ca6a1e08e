/** For pages that may hold a secret: never cached, indexed or leaked by the referrer. */
export const privatePage = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };

/** Cached by the gateway until the content changes. */
export const publicPage = { 'cache-control': 'public, max-age=0, must-revalidate' };
