/** `hydrate: false` in a route's handle means plain HTML with the script of static pages, without the framework. */
export interface PageHandle {
  hydrate?: false;
  /**
   * Query parameters that change the page. The gateway caches one response for addresses that differ only in others,
   * which the page never receives. Without it the page is not cached.
   */
  knows?: readonly string[];
  /** The page shows a draft to the holder of its cookie, so its response to that cookie is not shared. */
  readsDraftCookie?: true;
  /** Pages of the site may show it in a frame. */
  isFramed?: true;
}

export const isStaticPage = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => (handle as PageHandle | undefined)?.hydrate === false);

export const isFramed = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => (handle as PageHandle | undefined)?.isFramed);
