import { describe, expect, it } from 'vitest';
import { builtInFacts as facts } from '#features/settings/model/facts.ts';
import { experimentCard, experimentImage, nameIn, pageCard, pageImage, socialAddress } from './social-card.ts';

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const site = 'https://madhouse.example';
const pictureHosts = ['images.unsplash.com'];
const host = { origin: site, own: true, pictureHosts, defaultCover: '/house-cover.svg' };
const unknown = { title: null, description: null, width: null, height: null, placeholder: null };
const stored = (name: string) => ({
  ...unknown,
  id: name,
  type: 'image' as const,
  url: `https://madhouse.example/storage/v1/object/public/case-studies/images/${name}.png`,
});
const labels = { title: 'Chai Atlas', client: 'Kulhad & Sons', number: 14, category: 'branding' };
const made = { created_at: '2026-03-01T10:00:00+00:00', shares: { hand: 63, together: 25 } };
const experiment = { id: ID, ...labels, ...made, project_media: [stored('one')] };
type Experiment = Parameters<typeof experimentCard>[0];
const addressOf = (change: Partial<Experiment> = {}, agency = facts.agency) =>
  experimentImage({ ...experiment, ...change }, host, agency).src;

describe('social image content', () => {
  it('includes title, client, category line, and the cover from our storage', () => {
    expect(experimentCard(experiment, host, facts.agency)).toEqual({
      kind: 'experiment',
      site: 'Madhouse',
      colours: facts.agency.colours,
      onHand: '#1b1220',
      title: 'Chai Atlas',
      client: 'Kulhad & Sons',
      slip: 'EXP 0014 ·\u00a0Branding ·\u00a02026 ·\u00a0Hand\u00a063 Machine\u00a037',
      shares: { hand: 63, together: 25 },
      cover: 'case-studies/images/one.png',
    });
  });

  it.each([
    ['a foreign picture', 'https://images.unsplash.com/photo-1'],
    ['a picture on a host inside', 'http://169.254.169.254/latest/meta-data.png'],
    ['the storage of another site', 'https://evil.example/storage/v1/object/public/case-studies/a.png'],
    ['a way out of the storage', 'https://madhouse.example/storage/v1/object/public/../../../rest/v1/a.png'],
  ])('never includes %s', (_, url) => {
    const card = experimentCard({ ...experiment, project_media: [{ ...stored('x'), url }] }, host, facts.agency);
    expect(card).toMatchObject({ cover: null });
  });

  it('has an alt text', () => {
    const altFor = (client: string) => experimentImage({ ...experiment, client }, host, facts.agency).alt;
    expect([altFor('Kulhad & Sons'), altFor(' ')]).toEqual(['Chai Atlas, for Kulhad & Sons', 'Chai Atlas']);
    expect(pageImage('/about', facts).alt).toBe('Break Rules. Build Brands. | Madhouse');
  });
});

describe('social image address', () => {
  it('changes only when the content of the image changes', () => {
    const changed = [
      addressOf({ title: 'Chai Atlas 2' }),
      addressOf({ client: null }),
      addressOf({ category: 'video' }),
      addressOf({ project_media: [stored('two'), stored('one')] }),
      addressOf({ project_media: [] }),
      addressOf({}, { ...facts.agency, name: 'Madder House' }),
    ];
    expect(new Set([addressOf(), ...changed]).size).toBe(changed.length + 1);
    expect(addressOf({ project_media: [stored('one'), stored('two')] })).toBe(addressOf());
    expect(addressOf()).toMatch(new RegExp(`^/social/${ID}-[\\da-f]{20}\\.jpg$`));
  });

  it('differs for each page, and changes with the site name and the facts', () => {
    const paths = ['/', '/case-studies', '/about', '/join', '/ai-jewelry-masterclass', '/privacy', '/terms'];
    const addresses = paths.map((path) => pageImage(path, facts).src);
    expect(new Set(addresses).size).toBe(paths.length);
    expect(pageImage('/About/', facts)).toEqual(pageImage('/about', facts));
    expect(pageImage('/sign-in', facts)).toEqual(pageImage('/', facts));
    const renamed = { ...facts, agency: { ...facts.agency, name: 'Madder House' } };
    for (const [at, path] of paths.entries()) expect(pageImage(path, renamed).src).not.toBe(addresses[at]);
    const moved = { ...facts, masterclass: { ...facts.masterclass, city: 'Jaipur' } };
    expect(pageImage('/ai-jewelry-masterclass', moved).src).not.toBe(pageImage('/ai-jewelry-masterclass', facts).src);
  });

  it('redirects to the experiment or page of the image for any version', () => {
    expect(nameIn(addressOf().slice('/social/'.length))).toBe(ID);
    expect(nameIn(`${ID}.jpg`)).toBe(ID);
    expect(nameIn('about-0123456789abcdef0123.jpg')).toBe('about');
    const about = pageCard(nameIn(pageImage('/about', facts).src.slice('/social/'.length))!, facts);
    expect(about).toMatchObject({ lines: ['Break Rules.', 'Build Brands.'] });
    expect(pageCard('nowhere', facts)).toBeNull();
    const card = pageCard('join', facts)!;
    expect(socialAddress('join', card)).toBe(pageImage('/join', facts).src);
  });

  it('is null for another file', () => {
    const capital = `${ID.toUpperCase()}.jpg`;
    const names = ['', '.jpg', 'about.png', '../about.jpg', 'About.jpg', `${ID}-1.jpg`, capital, 'a/b.jpg'];
    expect(names.filter((name) => nameIn(name) !== null)).toEqual([]);
  });
});
