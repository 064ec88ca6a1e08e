import { href } from 'react-router';
import { useContent } from '#context/use-facts.ts';
import { portfolioPage } from '#features/pages/words/portfolio.ts';
import { listedCategories } from '#lib/words/categories.ts';
import { creditWords, LEADS } from '#lib/words/credits.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { countOf, type ListChoice, listAddress } from '../model/list.ts';
import type { Listed } from './list.tsx';

const chip = (label: string, choice: Partial<ListChoice>) => ({ label, href: listAddress(choice) });

function suggestions({ choice: { category, made, words }, counts }: Listed) {
  const otherLeads = LEADS.filter((lead) => lead !== made && countOf(counts, { category, made: lead }) > 0);
  if (made && countOf(counts, { category, made: null }) > 0) {
    const chips = otherLeads.map((lead) => chip(creditWords.led[lead], { category, made: lead, words }));
    return { lead: 'Other mixes:', chips: [chip(creditWords.everyLead, { category, words }), ...chips] };
  }
  const withMatches = listedCategories.filter(
    ({ value }) => value !== category && countOf(counts, { category: value, made: null }) > 0,
  );
  if (words && category && countOf(counts, { category: null, made: null }) > 0) {
    const chips = withMatches.map(({ value, label }) => chip(label, { category: value, words }));
    return { lead: 'In other categories:', chips: [chip('All', { words }), ...chips] };
  }
  const singleWords = [...new Set(words.split(' '))].slice(0, 6);
  if (singleWords.length > 1)
    return { lead: 'Search for just:', chips: singleWords.map((word) => chip(word, { words: word })) };
  const categories = words ? listedCategories : withMatches;
  return { lead: 'Or browse:', chips: categories.map(({ value, label }) => chip(label, { category: value })) };
}

export function ListEmpty({ listed }: { listed: Listed }) {
  const { choice } = listed;
  const { none, submit } = useContent(portfolioPage);
  const { lead, chips } = suggestions(listed);
  const reason = choice.words ? 'No experiments found. Try fewer or other words.' : none;
  return (
    <div className="stack list-empty gap-5 start">
      <svg className="list-scribble isolated" viewBox="0 0 320 120" aria-hidden="true">
        <rect x="14" y="22" width="120" height="80" className="plate-one" />
        <rect x="84" y="12" width="120" height="80" className="plate-two" />
        <path
          className="drawn"
          d="M30 96C64 12 92 8 98 44s-34 66-40 40S110 4 142 20s-16 88-28 70S168 0 204 22s-14 74-6 76 42-60 92-64"
        />
      </svg>
      <p className="note size-2">{countOf(listed.counts, choice) > 0 ? 'There are no more experiments.' : reason}</p>
      {chips.length > 0 && (
        <div className="list-instead stack gap-2">
          <p>{lead}</p>
          <ul className="cluster">
            {chips.map(({ label, href: to }) => (
              <li key={to}>
                <a className="chip anywhere" href={to}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="cluster">
        <LinkButton href={href('/case-study-upload')}>{submit}</LinkButton>
        {(choice.category || choice.made || choice.fact || choice.words || choice.page > 1) && (
          <LinkButton variant="secondary" href={href('/case-studies')}>
            Show all experiments
          </LinkButton>
        )}
      </div>
    </div>
  );
}
