/** Line that marks the current section, in percent of the window's height. */
const READING_LINE_PERCENT = 25;

export function followSections(index: Element): void {
  const links = new Map<Element, HTMLAnchorElement>();
  let current: HTMLAnchorElement | undefined;
  const center = () => {
    const list = current?.closest('ol');
    list?.scrollTo({ left: current!.offsetLeft - (list.clientWidth - current!.offsetWidth) / 2 });
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target)!;
        if (isIntersecting) {
          link.setAttribute('aria-current', 'location');
          current = link;
          center();
        } else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: `-${READING_LINE_PERCENT}% 0px -${100 - READING_LINE_PERCENT}% 0px` },
  );
  // A font that arrives late makes links wider.
  const sizes = new ResizeObserver(center);
  for (const link of index.getElementsByTagName('a')) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!section) continue;
    links.set(section, link);
    observer.observe(section);
    sizes.observe(link);
  }
}
