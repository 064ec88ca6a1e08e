/** Line that marks the current section, in percent of the window's height. */
const READING_LINE_PERCENT = 25;

export function followSections(index: Element): void {
  const links = new Map<Element, HTMLAnchorElement>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target)!;
        if (isIntersecting) {
          link.setAttribute('aria-current', 'location');
          const list = link.closest('ol');
          list?.scrollTo({ left: link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 });
        } else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: `-${READING_LINE_PERCENT}% 0px -${100 - READING_LINE_PERCENT}% 0px` },
  );
  for (const link of index.getElementsByTagName('a')) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (section) links.set(section, link);
  }
  // With its font a link may become wider than the place it was scrolled to.
  void document.fonts.ready.then(() => {
    for (const section of links.keys()) observer.observe(section);
  });
}
