import type { ReactNode } from 'react';
import { contentWords as words } from '../../../copy/content-checks.ts';
import type { ContentCheck } from '../../../models/review/content-checks.ts';
import './content-checks.css';
import { Icon } from '../../../ui/icon.tsx';

/**
 * What could still be better, counted, each with a way to its place. It asks for nothing: who reads it decides.
 * @param why to whom it matters, under the title
 * @param way what leads to the place of one, or mends it at once
 */
export const ContentChecks = ({
  checks,
  why,
  way,
}: {
  checks: readonly ContentCheck[];
  why: string;
  way: (check: ContentCheck) => ReactNode;
}) => (
  <section className="content-checks" aria-labelledby="content-checks">
    <h3 id="content-checks">
      <Icon name="info" /> {words.title(checks.length)}
    </h3>
    <p>{why}</p>
    <ol>
      {checks.map((check) => (
        <li key={check.id}>
          <span>{check.words}</span>
          {way(check)}
        </li>
      ))}
    </ol>
  </section>
);
