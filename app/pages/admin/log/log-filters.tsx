import { type FormEvent, useId } from 'react';
import { logSubjects, log as words } from '../../../copy/log.ts';
import type { LogQuestion } from '../../../models/audit-log.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Search } from '../experiments/search.tsx';

/** What the log is narrowed to. Choices count at once; who it was, when the field is left or Enter is pressed. */
export function LogFilters({
  question,
  filtered,
  onChange,
}: {
  question: LogQuestion;
  filtered: boolean;
  onChange: (change: Partial<LogQuestion>, options?: { replace: boolean }) => void;
}) {
  const id = useId();
  const setWho = (who: string) => who.trim() !== question.who && onChange({ who: who.trim() });
  function sendWho(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setWho(String(new FormData(event.currentTarget).get('who')));
  }
  return (
    <div className="log-filters">
      <Search
        label={words.search}
        value={question.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <form onSubmit={sendWho}>
        {/* Keyed, so that going back shows what the address says. */}
        <TextField
          key={question.who}
          label={words.who}
          name="who"
          autoComplete="off"
          maxLength={100}
          defaultValue={question.who}
          onBlur={(event) => setWho(event.target.value)}
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
      <TextField
        id={`${id}-since`}
        label={words.since}
        type="date"
        value={question.since}
        max={question.until || undefined}
        onChange={(event) => onChange({ since: event.target.value })}
      />
      <TextField
        id={`${id}-until`}
        label={words.until}
        type="date"
        value={question.until}
        min={question.since || undefined}
        onChange={(event) => onChange({ until: event.target.value })}
      />
      {filtered && (
        <Button
          variant="quiet"
          size="admin"
          onClick={() => onChange({ search: '', who: '', what: '', outcome: null, since: '', until: '' })}
        >
          {words.clear}
        </Button>
      )}
    </div>
  );
}
