import { type RefObject, useRef } from 'react';
import { href, Link } from 'react-router';
import type { Featured } from '#features/portfolio/model/featured.ts';
import { isListed } from '#features/projects/model/status.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { IconButton } from '#ui/form/button.tsx';
import { SortableList, SortHandle, StepButtons } from '#ui/form/sort-controls.tsx';
import { useSorting } from '#ui/form/use-sorting.ts';
import { featured as words } from '../words/featured.ts';
import '../dashboard.css';
import { useFeature, useFeatured } from './featuring.tsx';

export function FeaturedPanel() {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby="featured">
      <div className="screen-section">
        <h2 id="featured" tabIndex={-1} ref={heading}>
          Featured on the home page
        </h2>
        <a href={`${href('/')}#work`}>See the home page</a>
      </div>
      <p className="field-hint below-3">
        The home page shows three: these first, in this order, then the newest. Changes are saved at once.
      </p>
      <Loaded query={useFeatured()} loading={words.loading} failed={words.failedToLoad}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">
              Nothing is chosen, so the home page shows the three newest. Open a published project and choose “Show on
              the home page”.
            </p>
          ) : (
            <Rows all={all} heading={heading} />
          )
        }
      </Loaded>
    </section>
  );
}

/** What was added meanwhile stays last. */
const placeIn = (ids: readonly string[], { id }: Featured) => (ids.includes(id) ? ids.indexOf(id) : ids.length);

function Rows({ all, heading }: { all: Featured[]; heading: RefObject<HTMLElement | null> }) {
  const saving = useFeature();
  const { say, report } = useStatus();
  const save = (change: Parameters<typeof saving.mutateAsync>[0], done?: () => void) =>
    void report(saving.mutateAsync(change), words.failedToSave, done);
  const sort = (ids: readonly string[]) =>
    save((chosen) => chosen.toSorted((one, other) => placeIn(ids, one) - placeIn(ids, other)));
  const sorting = useSorting(all, ({ title }) => `“${title}”`, sort);

  function remove(gone: Featured) {
    const place = all.indexOf(gone);
    const undo = () => saving.mutateAsync((chosen) => chosen.toSpliced(place, 0, gone));
    const sayRemoved = () => say(`“${gone.title}” is off the home page.`, { undo });
    heading.current?.focus();
    save((chosen) => chosen.filter(({ id }) => id !== gone.id), sayRemoved);
  }

  return (
    <SortableList sorting={sorting}>
      {(one) => (
        <li key={one.id} className="sort-row relative paper row featured-row" {...sorting.look(one.id)}>
          <SortHandle name={sorting.nameOf(one.id)} handle={sorting.handle(one.id)} />
          <span className="row-words">
            <Link className="row-title" to={href('/admin/projects/:id', { id: one.id })}>
              {one.title}
            </Link>
            {!isListed(one.status) && (
              <span className="row-meta">Not public now, so the next one is shown instead.</span>
            )}
          </span>
          <span className="inline gap-0 push rigid">
            <StepButtons {...sorting.steps(one.id)} />
            <IconButton icon="close" label={`Take “${one.title}” off the home page`} onClick={() => remove(one)} />
          </span>
        </li>
      )}
    </SortableList>
  );
}
