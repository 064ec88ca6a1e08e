import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { FactsContext } from '#context/use-facts.ts';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { builtInAgency as agency } from '#lib/words/agency.ts';
import { MasterclassPage } from './page.tsx';
import { masterclassPage } from './words/content.ts';

const { words } = masterclassPage;
const site = 'https://site.example';
const host = { url: site, origin: site, own: true, pictureHosts: [], defaultCover: '/c.svg' };
const render = (ahead: boolean, facts = builtInFacts) =>
  renderToStaticMarkup(
    <FactsContext value={facts}>
      <MasterclassPage ahead={ahead} host={host} />
    </FactsContext>,
  );
const [before, after] = [true, false].map((ahead) => render(ahead));
const buttons = (html: string) => [...html.matchAll(/<a [^>]*class="button[^>]*>/g)].map(([tag]) => tag);

describe('masterclass page', () => {
  it('shows dates and prices before the start, and an enquiry button afterwards (MASTER-12)', () => {
    const ahead = [`>${words.buttons.ask}<`];
    const over = [words.buttons.askNext, 'The masterclass of May 10 and 11, 2025 is over.', words.pricing.lastTime];
    const shown = (html: string) => [...ahead, ...over].filter((text) => html.includes(text));
    expect(shown(before!)).toEqual(ahead);
    expect(shown(after!)).toEqual(over);
  });

  it('offers the next masterclass instead of a seat when it is sold out', () => {
    const html = render(true, { ...builtInFacts, masterclassSeatsTaken: 5 });
    for (const text of [words.buttons.askNext, words.closing.titleNext]) expect(html).toContain(text);
    for (const text of [`>${words.buttons.ask}<`, encodeURIComponent(words.buttons.message)])
      expect(html).not.toContain(text);
  });

  it('links every button to the chat app, before and after the dates (MASTER-02)', () => {
    for (const html of [before!, after!]) {
      expect(buttons(html).length).toBeGreaterThan(2);
      const link = [`href="https://wa.me/${agency.chatNumber}?text=`, 'target="_blank"', 'rel="noopener noreferrer"'];
      for (const tag of buttons(html)) for (const part of link) expect(tag).toContain(part);
    }
  });

  it('shows configured teachers with their portraits and facts', () => {
    expect(before).toContain(words.instructor.hand.text);
    const portrait = '/storage/v1/object/public/case-studies/images/a.png';
    const teachers = [
      { name: 'Rukhsana', portrait, record: 'Goldsmith\nTeacher' },
      { name: 'Kabir', portrait: '', record: 'Trainer' },
    ];
    const html = render(true, { ...builtInFacts, teachers });
    expect(html).not.toContain(words.instructor.hand.text);
    expect(html).toMatch(
      /alt="Portrait of Rukhsana".*<h3[^>]*>Rukhsana<\/h3><ul><li[^>]*>Goldsmith<\/li><li[^>]*>Teacher<\/li>.*<h3[^>]*>Kabir/,
    );
    expect(html).not.toContain('Portrait of Kabir');
  });

  it('draws one stool per seat, and says so in words (MASTER-07)', () => {
    const of = (seats: number) =>
      render(true, { ...builtInFacts, masterclass: { ...builtInFacts.masterclass, seats } });
    for (const text of ['Why so few</h2>', words.exclusivity.one]) expect(of(1)).toContain(text);
    for (const text of ['One stool each</h2>', words.exclusivity.many]) expect(of(40)).toContain(text);
    expect(before).toContain('5 seats');
    expect(before!.split('class="stools full"')[1]!.split('</svg>')[0]!.match(/<g /g)).toHaveLength(5);
  });
});
