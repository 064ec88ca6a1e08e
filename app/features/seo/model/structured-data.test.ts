import { describe, expect, it } from 'vitest';
import { courseWords } from '#features/masterclass/model/course-words.ts';
import { eventData } from '#features/masterclass/model/masterclass.ts';
import { joinPage } from '#features/pages/words/join.ts';
import { builtInFacts as facts } from '#features/settings/model/facts.ts';
import { collectiveQuestions } from './collective-questions.ts';
import { articleData, collectionData, siteData } from './page-meta.ts';

const ORIGIN = 'https://madhouse.example';
const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const described = { id: ID, title: 'Chai Atlas', created_at: '2026-03-01T10:00:00+00:00', updated_at: null };

type Node = Record<string, unknown>;
const plain = (data: unknown) => JSON.parse(JSON.stringify(data)) as Node & { '@graph': Node[]; mainEntity: Node };

/** The tables of Google's documentation: what is required, and what is recommended and true of us. */
describe('structured data', () => {
  it('describes an experiment as an article of the organisation (META-07, META-08)', () => {
    const pictures = ['/social/a.jpg', '/storage/b.png'];
    const article = plain(articleData(described, 'One hundred stalls.', pictures, facts, ORIGIN, {}));
    expect(article).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Chai Atlas',
      image: [`${ORIGIN}/social/a.jpg`, `${ORIGIN}/storage/b.png`],
      datePublished: '2026-03-01T10:00:00+00:00',
      dateModified: '2026-03-01T10:00:00+00:00',
      author: { '@type': 'Organization', name: facts.agency.organisation, url: `${ORIGIN}/` },
      publisher: { '@type': 'Organization', name: facts.agency.organisation, logo: `${ORIGIN}/icon-512.png` },
      mainEntityOfPage: { '@id': `${ORIGIN}/case-studies/${ID}/chai-atlas` },
    });
    expect(JSON.stringify(article)).not.toContain('Person');
  });

  it('lists the facts that readers see on its page', () => {
    const fact = { kind: 'text', help: '', required: false } as const;
    const projectFacts = [
      { ...fact, id: 'material', name: 'Material', shown: 'card' as const },
      { ...fact, id: 'code', name: 'Code', shown: 'none' as const },
    ];
    const experiment = { ...described, facts: { material: 'Felt', code: 'X1' } };
    const article = plain(articleData(experiment, '', [], { ...facts, projectFacts }, ORIGIN, {}));
    expect(article['additionalProperty']).toEqual([{ '@type': 'PropertyValue', name: 'Material', value: 'Felt' }]);
  });

  it('describes the films of an experiment with absolute addresses', () => {
    const films = [{ name: 'The stalls', src: '/storage/film.mp4', poster: '/storage/film.jpg' }];
    const article = plain(articleData(described, '', [], facts, ORIGIN, {}, films));
    const texts = { name: 'The stalls', description: 'The stalls', uploadDate: '2026-03-01T10:00:00+00:00' };
    const files = { thumbnailUrl: `${ORIGIN}/storage/film.jpg`, contentUrl: `${ORIGIN}/storage/film.mp4` };
    expect(article['video']).toEqual([{ '@type': 'VideoObject', ...texts, ...files }]);
    const invalid = films.map((film) => ({ ...film, poster: 'https://x:99999/p.jpg' }));
    expect(plain(articleData(described, '', [], facts, ORIGIN, {}, invalid))['video']).toBeUndefined();
  });

  it('describes the organisation, its address and the site search', () => {
    const [organisation, site] = plain(siteData(facts, ORIGIN))['@graph'];
    expect(organisation).toMatchObject({
      '@type': 'Organization',
      name: facts.agency.organisation,
      url: `${ORIGIN}/`,
      logo: `${ORIGIN}/icon-512.png`,
      email: facts.agency.email,
      telephone: facts.agency.phone,
      address: { '@type': 'PostalAddress', addressLocality: 'Mumbai', addressCountry: 'IN' },
      sameAs: facts.agency.social.map(({ href }) => href),
    });
    expect(site).toMatchObject({
      '@type': 'WebSite',
      name: 'Madhouse',
      url: `${ORIGIN}/`,
      publisher: { '@id': organisation!['@id'] },
      potentialAction: {
        '@type': 'SearchAction',
        target: { urlTemplate: `${ORIGIN}/case-studies?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    });
  });

  it('lists experiments in the order of the list', () => {
    const list = plain(collectionData({ name: 'Mad Experiments', path: '/case-studies' }, [described], ORIGIN));
    expect(list).toMatchObject({ '@type': 'CollectionPage', name: 'Mad Experiments', url: `${ORIGIN}/case-studies` });
    const item = { '@type': 'ListItem', position: 1, url: `${ORIGIN}/case-studies/${ID}/chai-atlas` };
    expect(list.mainEntity).toEqual({ '@type': 'ItemList', itemListElement: [item] });
  });

  it('has each question and answer about the collective once', () => {
    const questions = plain(collectiveQuestions(joinPage.words)).mainEntity as unknown as {
      name: string;
      acceptedAnswer: Node;
    }[];
    expect(questions.length).toBeGreaterThan(5);
    expect(JSON.stringify(questions)).toContain('Investors 0–25%:');
    expect(new Set(questions.map(({ name }) => name)).size).toBe(questions.length);
    for (const question of questions) {
      expect(question).toMatchObject({ '@type': 'Question', acceptedAnswer: { '@type': 'Answer' } });
      expect(String(question.acceptedAnswer['text']).length, question.name).toBeGreaterThan(40);
      expect(question.acceptedAnswer['text']).not.toMatch(/undefined|\[object/);
    }
  });

  it('describes a masterclass with its place, times, prices and organiser', () => {
    expect(plain(eventData(facts, courseWords(facts, {}), ORIGIN, '/social/masterclass.jpg'))).toMatchObject({
      '@type': 'Event',
      name: 'AI Jewelry Masterclass',
      startDate: '2025-05-10T14:30:00+05:30',
      endDate: '2025-05-11T19:00:00+05:30',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'Madhouse', address: { addressLocality: 'Mumbai', addressCountry: 'IN' } },
      image: `${ORIGIN}/social/masterclass.jpg`,
      organizer: { '@type': 'Organization', url: `${ORIGIN}/` },
      offers: [
        { price: 12_500, priceCurrency: 'INR', availability: 'https://schema.org/LimitedAvailability' },
        { price: 9_985, priceCurrency: 'INR' },
      ],
    });
  });
});
