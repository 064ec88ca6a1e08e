/** Every public page, by a short name. The experiment is the newest one of the seeded agency. */
export async function publicPages(base: string): Promise<Record<string, string>> {
  const list = await (await fetch(`${base}/case-studies`)).text();
  const experiment = /href="(\/case-studies\/[\da-f-]{36}[^"]*)"/.exec(list)?.[1];
  if (!experiment) throw new Error('The list shows no experiment: these pages need the seeded agency.');
  return {
    home: '/',
    about: '/about',
    join: '/join',
    masterclass: '/ai-jewelry-masterclass',
    contact: '/contact',
    list: '/case-studies',
    category: '/case-studies?category=branding',
    experiment,
    privacy: '/privacy',
    terms: '/terms',
    'not-found': '/nowhere',
  };
}
