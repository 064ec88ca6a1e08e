import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { legal } from '#features/pages/words/legal.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { MoreButton } from '#ui/data/more-button.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { Moment } from '#ui/time.tsx';
import {
  CHANGES_PER_PAGE,
  changedThing,
  type EarlierValue,
  earlierValue,
  HISTORY_KEY,
  readChanges,
  type SettingChange,
  valueInWords,
} from './model/history.ts';
import { settings } from './model/table.ts';
import './settings.css';

const NAMES = Object.fromEntries([
  ['', 'Everything'],
  ...Object.entries(settings).map(([name, { label }]) => [name, label]),
  ...Object.entries(legal).map(([slug, { title }]) => [slug, title]),
]);

export function History({ onTake }: { onTake: (earlier: EarlierValue) => void }) {
  const [address] = useSearchParams();
  const [name, setName] = useState(address.get('history') ?? '');
  const changes = useInfiniteQuery({
    queryKey: [...HISTORY_KEY, name],
    queryFn: ({ pageParam }) => readChanges(clients().data(), name, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length === CHANGES_PER_PAGE ? last.at(-1)!.id : undefined),
    select: ({ pages }) => pages.flat(),
    staleTime: 0,
  });
  return (
    <>
      <div>
        <SelectField label="Changes of" options={NAMES} value={name} onChange={({ target }) => setName(target.value)} />
      </div>
      <Loaded query={changes} loading="Loading the history" failed="The history could not be loaded.">
        {(all) =>
          all.length === 0 ? (
            <p className="empty">No changes yet: the built-in values apply.</p>
          ) : (
            <ol className="hairline" aria-busy={changes.isFetching}>
              {all.map((change) => (
                <Change key={change.id} change={change} onTake={onTake} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <MoreButton query={changes}>Show older changes</MoreButton>
    </>
  );
}

function Change({ change, onTake }: { change: SettingChange; onTake: (earlier: EarlierValue) => void }) {
  const earlier = earlierValue(change);
  const thing = changedThing(change);
  return (
    <li className="stack gap-2 start anywhere hairline-below pad-y-4">
      <p>
        <strong>{thing}</strong>{' '}
        <span className="row-meta">
          changed by {change.by ?? 'the server, or a deleted user'}, <Moment at={change.at} />
        </span>
      </p>
      <dl className="grid top setting-fields shrink full">
        <div>
          <dt className="quiet">Before</dt>
          <dd>{valueInWords(change, change.before)}</dd>
        </div>
        <div>
          <dt className="quiet">After</dt>
          <dd>{valueInWords(change, change.after)}</dd>
        </div>
      </dl>
      {earlier ? (
        <SmallButton onClick={() => onTake(earlier)}>
          Put the earlier value into the form
          <span className="hidden-text"> ({thing})</span>
        </SmallButton>
      ) : (
        <p className="field-hint">The earlier value is no longer valid.</p>
      )}
    </li>
  );
}
