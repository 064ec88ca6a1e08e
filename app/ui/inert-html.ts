/** HTML as the browser's own parser reads it, in a document in which nothing is loaded and nothing runs. Browser only. */
export const inertBody = (html: string): HTMLElement =>
  // A style sheet would be held against the page's policy, also where nothing is drawn.
  new DOMParser().parseFromString(html.replace(/<style\b[\s\S]*?<\/style\s*>/gi, ''), 'text/html').body;
