import { useEffect, useRef, useState } from 'react';
import { Field } from '../../../ui/field.tsx';

// Long enough to finish a word, short enough to feel immediate.
const PAUSE = 250;

/** Search as you type; Enter does not wait. */
export function Search({
  label = 'Search title, description and client',
  value,
  onSearch,
}: {
  label?: string;
  value: string;
  onSearch: (search: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  // The address changed without us: back, forward, or a link.
  if (value !== sent.current) {
    sent.current = value;
    setTyped(value);
  }

  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      search.current(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sent.current = typed;
          search.current(typed);
        }}
      >
        <Field label={label}>
          {(aria) => (
            <input
              {...aria}
              className="field-input"
              type="search"
              maxLength={100}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </form>
    </search>
  );
}
