/** How far down the window the eye is, of its height. */
const EYE = 25;

/** Marks in the index the section that is being read. */
export function followSections(index: Element): void {
  const links = new Map<Element, HTMLAnchorElement>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target)!;
        if (isIntersecting) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: `-${EYE}% 0px -${100 - EYE}% 0px` },
  );
  for (const link of index.querySelectorAll('a')) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!section) continue;
    links.set(section, link);
    observer.observe(section);
  }
}
