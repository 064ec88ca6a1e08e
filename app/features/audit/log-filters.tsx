import { useEffect, useState } from 'react';
import { LONGEST_SEARCH } from '#lib/data/page.ts';
import { Search } from '#ui/data/search.tsx';
import { useLatest } from '#ui/data/use-typed.ts';
import { Button } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { LogQuestion } from './model/audit-log.ts';
import { logSubjects, log as words } from './words.ts';

const FIRST_WHOLE_DAY = '1900-01-01';

interface Filters {
  question: LogQuestion;
  filtered: boolean;
  onChange: (change: Partial<LogQuestion>, options?: { replace: boolean }) => void;
}

/** Selections apply immediately; text applies when complete, on blur or on Enter. */
export function LogFilters(filters: Filters) {
  const [cleared, setCleared] = useState(0);
  useEffect(() => {
    if (cleared > 0) restoreFocus();
  }, [cleared]);
  return <Fields key={cleared} {...filters} onClear={() => setCleared(cleared + 1)} />;
}

function Fields({ question, filtered, onChange, onClear }: Filters & { onClear: () => void }) {
  const who = useLatest(question.who, (text) => onChange({ who: text }));
  const since = useLatest(question.since, (day) => onChange({ since: day }, { replace: true }));
  const until = useLatest(question.until, (day) => onChange({ until: day }, { replace: true }));
  return (
    <div className="cluster table-tools">
      <Search
        label={words.search}
        value={question.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          who.sendChange(who.typed.trim());
        }}
      >
        <TextField
          label={words.who}
          name="who"
          autoComplete="off"
          maxLength={LONGEST_SEARCH}
          value={who.typed}
          onChange={(event) => who.setTyped(event.target.value)}
          onBlur={() => who.sendChange(who.typed.trim())}
        />
      </form>
      <SelectField
        label={words.what}
        value={question.what}
        onChange={(event) => onChange({ what: event.target.value })}
      >
        <option value="">{words.everything}</option>
        {logSubjects.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={words.outcome}
        value={question.outcome ?? ''}
        onChange={(event) => onChange({ outcome: (event.target.value || null) as LogQuestion['outcome'] })}
      >
        <option value="">{words.both}</option>
        <option value="done">{words.outcomes.done}</option>
        <option value="refused">{words.outcomes.refused}</option>
      </SelectField>
      {/* Limits from the address would clear the other field during typing. */}
      <Day label={words.since} day={since} max={until.typed || undefined} />
      <Day label={words.until} day={until} min={since.typed || undefined} />
      {filtered && (
        <Button
          variant="quiet"
          size="admin"
          onClick={() => {
            onChange({ search: '', who: '', what: '', outcome: null, since: '', until: '' });
            onClear();
          }}
        >
          {words.clear}
        </Button>
      )}
    </div>
  );
}

const Day = ({
  label,
  day: { typed, setTyped, sendChange },
  ...limits
}: {
  label: string;
  day: ReturnType<typeof useLatest>;
  min?: string | undefined;
  max?: string | undefined;
}) => (
  <TextField
    {...limits}
    label={label}
    type="date"
    value={typed}
    onChange={({ target: { value } }) => {
      setTyped(value);
      if (value >= FIRST_WHOLE_DAY) sendChange(value);
    }}
    onBlur={() => sendChange(typed)}
    onKeyDown={(event) => event.key === 'Enter' && sendChange(typed)}
  />
);
