import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import type { ContentCheck } from '../model/content-checks.ts';
import { contentWords as words } from '../words/content-checks.ts';
import './content-checks.css';

type ContentChecksProps = { checks: readonly ContentCheck[]; why: string; way: (check: ContentCheck) => ReactNode };

export const ContentChecks = ({ checks, why, way }: ContentChecksProps) => (
  <section className="stack gap-2 content-checks edge-machine panel pad-4 pad-x-5" aria-labelledby="content-checks">
    <h3 className="inline gap-2" id="content-checks">
      <Icon name="info" /> {words.title(checks.length)}
    </h3>
    <p className="quiet">{why}</p>
    <ol>
      {checks.map((check) => (
        <li className="cluster gap-2 gap-x-4 apart touch hairline" key={check.id}>
          <span>{check.words}</span>
          {way(check)}
        </li>
      ))}
    </ol>
  </section>
);
