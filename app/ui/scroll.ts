const DEPTHS = [25, 50, 75, 90];

export function watchScroll(): () => void {
  const page = document.documentElement;
  let next = 0;
  const measure = () => {
    page.toggleAttribute('data-scrolled', scrollY > 50);
    const scrollRange = page.scrollHeight - innerHeight;
    const depthPercent = scrollRange > 0 ? (scrollY / scrollRange) * 100 : 100;
    for (; next < DEPTHS.length && depthPercent >= DEPTHS[next]!; next++) console.log(`Scroll depth: ${DEPTHS[next]}%`);
  };
  addEventListener('scroll', measure, { passive: true });
  measure();
  return () => removeEventListener('scroll', measure);
}
