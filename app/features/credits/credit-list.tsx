import { Fragment } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { slugOf } from '#features/projects/model/labels.ts';
import { creditWords as words } from '#lib/words/credits.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import type { Credit } from './model/credits.ts';
import './credit-list.css';

const ABOUT = '/about' satisfies PagePath;

export function CreditList({ credits }: { credits: readonly Credit[] }) {
  const known = useFacts().people.map(({ name }) => name);
  return (
    <dl className="credit-list">
      {credits.map(({ part, made, people, tools }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts may be called the same
        <div className="stack split-640 gap-0 gap-x-5 hairline-below" key={at} data-made={made}>
          <dt className="bold">{part}</dt>
          <dd className="layer">
            {words.madeHow[made]}
            {people.map((name, place) => (
              <Fragment key={name}>
                {place === 0 ? ': ' : ', '}
                {known.includes(name) ? <a href={`${ABOUT}#${slugOf({ title: name })}`}>{name}</a> : name}
              </Fragment>
            ))}
            {tools.length > 0 && `, ${words.tools(tools)}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}
