/** `hydrate: false` in a route's handle: plain HTML and the script of static pages, no framework. */
export interface PageHandle {
  hydrate?: false;
  /**
   * The parameters in its address that change the page. The front door keeps one answer for all addresses that differ
   * in others alone, and a page never sees those. A page that does not say is not kept.
   */
  knows?: readonly string[];
  /** It shows a draft to the holder of its cookie, so a request with that cookie gets a response of its own. */
  readsDraftCookie?: true;
}

/** Whether one of the routes that make a page says that it does without the framework. */
export const isStaticPage = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => (handle as PageHandle | undefined)?.hydrate === false);
