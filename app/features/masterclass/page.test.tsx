import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { FactsContext } from '#context/use-facts.ts';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { builtInAgency as agency } from '#lib/words/agency.ts';
import { MasterclassPage } from './page.tsx';
import { masterclassPage } from './words/content.ts';

const { words } = masterclassPage;
const host = {
  url: 'https://site.example',
  origin: 'https://site.example',
  own: true,
  pictureHosts: [],
  defaultCover: '/c.svg',
};
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
    expect(before).toContain(words.buttons.ask);
    expect(before).not.toContain(words.buttons.askNext);
    expect(before).not.toMatch(/is over|prices of the masterclass that has been/);
    expect(after).toContain(words.buttons.askNext);
    expect(after).not.toContain(`>${words.buttons.ask}<`);
    expect(after).toContain('The masterclass of May 10 and 11, 2025 is over.');
    expect(after).toContain(words.pricing.lastTime);
  });

  it('links every button to the chat app, before and after the dates (MASTER-02)', () => {
    for (const html of [before!, after!]) {
      expect(buttons(html).length).toBeGreaterThan(2);
      for (const tag of buttons(html)) {
        expect(tag).toContain(`href="https://wa.me/${agency.chatNumber}?text=`);
        expect(tag).toContain('target="_blank"');
        expect(tag).toContain('rel="noopener noreferrer"');
      }
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
    expect(of(1)).toContain(`Why so few</h2>`);
    expect(of(1)).toContain(words.exclusivity.one);
    expect(of(40)).toContain('One stool each</h2>');
    expect(of(40)).toContain(words.exclusivity.many);
    expect(before).toContain('5 seats');
    expect(before!.split('class="stools full"')[1]!.split('</svg>')[0]!.match(/<g /g)).toHaveLength(5);
  });
});
