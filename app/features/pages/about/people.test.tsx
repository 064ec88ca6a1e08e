import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FactsContext } from '#context/use-facts.ts';
import { CreditList } from '#features/credits/credit-list.tsx';
import { builtInFacts, type Person } from '#features/settings/model/facts.ts';
import { aboutPage } from '../words/about.ts';
import { People } from './about.tsx';

const site = 'https://site.example';
const host = { origin: site, own: true, pictureHosts: [], defaultCover: '' };
const portrait = '/storage/v1/object/public/case-studies/images/a.png';
const ines: Person = { name: 'Ines D’Mello', craft: 'Photography', city: 'Panaji', portrait };

const render = (people: Person[]) =>
  renderToStaticMarkup(
    <FactsContext value={{ ...builtInFacts, people }}>
      <People host={host} />
      <CreditList
        credits={[{ part: 'Film', made: 'hand', people: ['Ines D’Mello', 'A dog'], tools: ['One camera'] }]}
      />
    </FactsContext>,
  );

it('shows the members of the collective, and links their credits to them', () => {
  const html = render([ines, { ...ines, name: 'Asha', city: '', portrait: '' }]);
  expect(html).toMatch(
    /<li id="ines-dmello">.*alt="Portrait of Ines D’Mello".*<h3[^>]*>Ines D’Mello<\/h3><p>Photography<\/p>.*Panaji/,
  );
  expect(html).toMatch(/<li id="asha"><h3[^>]*>Asha<\/h3><p>Photography<\/p><\/li>/);
  expect(html).toContain('<a href="/about#ines-dmello">Ines D’Mello</a>, A dog, with One camera');
});

it('shows no section without members', () => {
  const html = render([]);
  expect(html).not.toContain(aboutPage.words.people.title);
  expect(html).not.toContain('<a ');
});
