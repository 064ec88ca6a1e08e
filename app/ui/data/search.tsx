import { useEffect, useRef } from 'react';
import { LONGEST_SEARCH } from '#lib/data/page.ts';
import { Field } from '../form/field.tsx';
import { useLatest } from './use-typed.ts';

// In ms: long enough to finish a word, short enough to feel immediate.
const PAUSE = 250;

export function Search({
  label = 'Search title, description and client',
  value,
  onSearch,
}: {
  label?: string;
  value: string;
  onSearch: (search: string) => void;
}) {
  const { typed, setTyped, send, sendChange } = useLatest(value, onSearch);
  const latest = useRef(sendChange);
  latest.current = sendChange;

  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(typed);
        }}
      >
        <Field label={label}>
          {(aria) => (
            <input
              {...aria}
              className="field-input"
              type="search"
              maxLength={LONGEST_SEARCH}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </form>
    </search>
  );
}
