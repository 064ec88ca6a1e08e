/** `hydrate: false` in a route's handle: plain HTML with the static pages' script, no framework. */
export interface PageHandle {
  hydrate?: false;
  /**
   * Query parameters that change the page. The gateway caches one response for addresses that differ only in others,
   * which the page never receives. Without it the page is not cached.
   */
  knows?: readonly string[];
  /** It shows a draft to the holder of its cookie, so a request with that cookie gets a response of its own. */
  readsDraftCookie?: true;
}

export const isStaticPage = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => (handle as PageHandle | undefined)?.hydrate === false);
