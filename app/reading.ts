addEventListener('scroll', () => document.documentElement.toggleAttribute('data-scrolled', scrollY > 50), {
  passive: true,
});
