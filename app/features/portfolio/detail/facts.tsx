import type { ReactNode } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { PROJECT_FIELDS, SUBTITLES } from '#features/projects/model/fields.ts';
import { budgetOf, clientOf } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { ON_PAGE, shownFacts } from '#features/settings/model/project-facts.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { factText } from '#ui/data/fact-text.ts';
import { Icon } from '#ui/icon.tsx';
import { Lines } from '#ui/layout/lines.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { UtcDay } from '#ui/time.tsx';

/** Facts below the title; phones collapse those in `details`. */
export function ExperimentFacts({ experiment }: { experiment: Project }) {
  const category = categoryLabel(experiment.category);
  const budget = budgetOf(experiment);
  const { start_date: start, end_date: end } = experiment;
  const subtitle = (name: (typeof SUBTITLES)[number]) => (name === 'client' ? clientOf(experiment) : experiment[name]);
  return (
    <aside className="facts pad-top-3 cluster bottom rule above-5" aria-label="Facts">
      <dl className="cluster stretch">
        {SUBTITLES.filter(subtitle).map((name) => (
          <Fact key={name} name={PROJECT_FIELDS[name].label}>
            {subtitle(name)}
          </Fact>
        ))}
        {category && <Fact name="Category">{category}</Fact>}
        {budget && (
          <Fact name="Budget">
            <span className="amount">{budget}</span>
          </Fact>
        )}
        {shownFacts(useFacts().projectFacts, experiment.facts, ON_PAGE).map(({ fact, value }) => (
          <Fact key={fact.id} name={fact.name}>
            {fact.kind === 'link' ? (
              <a href={String(value)} rel="noopener">
                {factText(fact, value)}
              </a>
            ) : (
              factText(fact, value)
            )}
          </Fact>
        ))}
      </dl>
      <details>
        <summary className="tap gap-2 semibold">More facts</summary>
        <dl className="cluster stretch">
          {(start || end) && (
            <Fact name="Dates">
              {start && <UtcDay at={start} />}
              {end && (start ? ' to ' : 'Until ')}
              {end && <UtcDay at={end} />}
            </Fact>
          )}
          <Fact name="Status">
            <StatusBadge status={experiment.status} />
          </Fact>
        </dl>
      </details>
      <button
        className="button button-secondary push script-only"
        type="button"
        data-share={experiment.title}
        data-copied="URL copied to clipboard!"
      >
        <Icon name="share" />
        Share
      </button>
    </aside>
  );
}

export const Colophon = ({ experiment: { team, tags } }: { experiment: Project }) => (
  <footer className="colophon pad-top-4 cluster bottom apart hairline above-section">
    {team.length + tags.length > 0 && (
      <dl className="cluster stretch">
        {team.length > 0 && (
          <Fact name="Credits">
            <ul>
              <Lines of={team} />
            </ul>
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name="Tags">
            <ul className="cluster gap-2">
              <Lines of={tags} className="tag" />
            </ul>
          </Fact>
        )}
      </dl>
    )}
    <div id="experiment-actions" />
  </footer>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="slip quiet">{name}</dt>
    <dd className="semibold anywhere">{children}</dd>
  </div>
);
