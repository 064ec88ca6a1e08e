const SHADOW_AFTER = 50;
const DEPTHS = [25, 50, 75, 90];

export function watchScroll(): () => void {
  const page = document.documentElement;
  let next = 0;
  const look = () => {
    page.toggleAttribute('data-scrolled', scrollY > SHADOW_AFTER);
    const way = page.scrollHeight - innerHeight;
    const seen = way > 0 ? (scrollY / way) * 100 : 100;
    for (; next < DEPTHS.length && seen >= DEPTHS[next]!; next++) console.log(`Scroll depth: ${DEPTHS[next]}%`);
  };
  addEventListener('scroll', look, { passive: true });
  look();
  return () => removeEventListener('scroll', look);
}
