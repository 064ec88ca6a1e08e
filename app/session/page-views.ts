const SECTION = /^[a-z][a-z0-9-]{0,39}$/;
const MAX_SECTIONS = 35;
const EXPERIMENT = /^\/case-studies\/[0-9a-f-]{36}(?=\/|$)/;

export const countedPage = (pathname: string): string => EXPERIMENT.exec(pathname)?.[0] ?? pathname;

/** Records reading depth and visible sections, sent once on leaving: no cookie, no identifier, honours DNT and GPC. */
export function countPageView({ url, key }: { url: string; key: string }): void {
  if (navigator.doNotTrack === '1' || (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return;
  const page = document.documentElement;
  const marks = new Set(['visit']);
  const measure = () => {
    const scrollRange = page.scrollHeight - innerHeight;
    const depthPercent = scrollRange > 0 ? (scrollY / scrollRange) * 100 : 100;
    for (const depth of [25, 50, 75, 90]) if (depthPercent >= depth) marks.add(`depth:${depth}`);
  };
  addEventListener('scroll', measure, { passive: true });
  measure();
  const markSections = (entries: IntersectionObserverEntry[]) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) marks.add(`section:${target.id}`);
  };
  // A section is seen when it crosses the middle of the window.
  const sections = new IntersectionObserver(markSections, { rootMargin: '-30% 0px' });
  const knownSections = [...document.querySelectorAll('main section[id]')].filter(({ id }) => SECTION.test(id));
  for (const section of knownSections.slice(0, MAX_SECTIONS)) sections.observe(section);
  const send = () => {
    // The last scroll may not have been painted yet, so its event is missing.
    measure();
    void fetch(`${url}/rest/v1/rpc/record_reading`, {
      method: 'POST',
      keepalive: true,
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ p_page: countedPage(location.pathname), p_marks: [...marks] }),
    }).catch(() => {});
  };
  addEventListener('pagehide', send, { once: true });
}
