/** Paths of all public pages by name. The experiment is the newest one of the demo. */
export async function publicPages(base: string): Promise<Record<string, string>> {
  const list = await (await fetch(`${base}/case-studies`)).text();
  const experiment = /href="(\/case-studies\/[\da-f-]{36}[^"]*)"/.exec(list)?.[1];
  if (!experiment) throw new Error('The list shows no experiment: start the server with SEED=demo.');
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
