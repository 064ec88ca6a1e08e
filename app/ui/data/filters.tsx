import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ListParams } from '#lib/data/list-params.ts';
import { MAX_SEARCH_LENGTH } from '#lib/data/page.ts';
import { SmallButton } from '../form/button.tsx';
import { SelectField, TextField } from '../form/field.tsx';
import { restoreFocus } from '../restore-focus.ts';

const SEARCH_DELAY_MS = 250;
const FIRST_WHOLE_DAY = '1900-01-01';

export interface List<Question> {
  params: ListParams<Question>;
  question: Question;
  /** Changes filters and returns to the first page. */
  ask: (change: Partial<Question>, options?: { replace: boolean }) => void;
  addressOf: (change: Partial<Question>) => string;
}

export function useList<Question>(params: ListParams<Question>): List<Question> {
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const question = params.read(address);
  return {
    params,
    question,
    // Starts from the address bar, which a recent click may have changed without a render.
    ask(change, options) {
      const current = params.read(new URLSearchParams(location.search));
      void navigate(params.write({ ...current, ...params.start, ...change }), { preventScrollReset: true, ...options });
    },
    addressOf: (change) => params.write({ ...question, ...change }),
  };
}

type Labelled<Question> = { name: keyof Question & string; label: string };

export type Filter<Question> =
  | (Labelled<Question> & { kind: 'search' | 'text' })
  | (Labelled<Question> & { kind: 'select'; all: string; options: Record<string, string> })
  | (Labelled<Question> & { kind: 'day'; from?: keyof Question & string; to?: keyof Question & string })
  | { kind: 'chip'; label: string; value: Partial<Question>; count?: ReactNode };

interface Fields<Question> {
  list: List<Question>;
  filters: readonly Filter<Question>[];
  /** Label of a button that clears all filters. */
  clear?: string | undefined;
}

/** Selections apply immediately; text applies after a pause, when complete, on blur or on Enter. */
export function Filters<Question>({ list, filters, clear }: Fields<Question>) {
  const [cleared, setCleared] = useState(0);
  useEffect(() => {
    if (cleared > 0) restoreFocus();
  }, [cleared]);
  const [days, setDays] = useState<Partial<Record<string, string>>>({});
  const text = (name: string) => String((list.question as Record<string, unknown>)[name] ?? '');
  const set = (name: string, value: string, replace = false) =>
    list.ask({ [name]: value || defaultValue(list, name) } as Partial<Question>, { replace });
  const clearAll = () => {
    list.ask(list.params.read(new URLSearchParams()));
    setDays({});
    setCleared(cleared + 1);
  };
  return (
    <div className="cluster table-tools bottom below-5" key={cleared}>
      {filters.map((filter) => {
        if (filter.kind === 'chip') return <Chip key={filter.label} list={list} {...filter} />;
        const { kind, name, label } = filter;
        if (kind === 'select')
          return (
            <SelectField
              key={name}
              label={label}
              options={{ '': filter.all, ...filter.options }}
              value={text(name)}
              onChange={({ target }) => set(name, target.value)}
            />
          );
        const props = { label, value: text(name), onSend: (value: string) => set(name, value, kind !== 'text') };
        if (kind !== 'day') return <Text key={name} kind={kind} name={name} {...props} />;
        // Limits from the address would clear the other field during typing.
        const limit = (other: string | undefined) => (other && (days[other] ?? text(other))) || undefined;
        return (
          <Day
            key={name}
            {...props}
            min={limit(filter.from)}
            max={limit(filter.to)}
            onType={(day) => setDays((before) => ({ ...before, [name]: day }))}
          />
        );
      })}
      {clear && list.params.isFiltered(list.question) && (
        <SmallButton variant="quiet" onClick={clearAll}>
          {clear}
        </SmallButton>
      )}
    </div>
  );
}

const defaultValue = <Question,>({ params }: List<Question>, name: string): unknown =>
  params.read(new URLSearchParams())[name as keyof Question];

type ChipProps<Question> = { list: List<Question> } & Extract<Filter<Question>, { kind: 'chip' }>;

function Chip<Question>({ list, label, value, count }: ChipProps<Question>) {
  const entries = Object.entries(value) as [keyof Question & string, unknown][];
  const isOn = entries.every(([name, is]) => list.question[name] === is);
  const defaults = Object.fromEntries(entries.map(([name]) => [name, defaultValue(list, name)])) as Partial<Question>;
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => list.ask(isOn ? defaults : value)}>
      {label}
      {count && (
        <>
          {' '}
          <small>{count}</small>
        </>
      )}
    </button>
  );
}

type TypedFieldProps = { label: string; value: string; onSend: (text: string) => void };

function Text({ kind, label, name, value, onSend }: TypedFieldProps & { kind: 'search' | 'text'; name: string }) {
  const { typed, setTyped, sendChange } = useLatest(value, onSend);
  const send = (text: string) => sendChange(text.trim());
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    const timer = setTimeout(() => kind === 'search' && sendNow(typed), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, kind]);
  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(typed);
      }}
    >
      <TextField
        label={label}
        name={name}
        type={kind}
        autoComplete="off"
        maxLength={MAX_SEARCH_LENGTH}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => send(typed)}
      />
    </form>
  );
  return kind === 'search' ? <search>{form}</search> : form;
}

type DayProps = TypedFieldProps & { onType: (day: string) => void; min: string | undefined; max: string | undefined };

function Day({ label, value, onSend, onType, ...limits }: DayProps) {
  const { typed, setTyped, sendChange } = useLatest(value, onSend);
  return (
    <TextField
      {...limits}
      label={label}
      type="date"
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        onType(value);
        if (value >= FIRST_WHOLE_DAY) sendChange(value);
      }}
      onBlur={() => sendChange(typed)}
      onKeyDown={(event) => event.key === 'Enter' && sendChange(typed)}
    />
  );
}

/** Field whose value is in the address. Ignores its own older values that arrive late in the address. */
function useLatest(value: string, onSend: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const sentValues = useRef<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    if (!sentValues.current.includes(value)) setTyped(value);
  }
  useEffect(() => {
    const index = sentValues.current.lastIndexOf(value);
    sentValues.current = index < 0 ? [] : sentValues.current.slice(index + 1);
  }, [value]);

  function sendChange(text: string) {
    if (text === (sentValues.current.at(-1) ?? value)) return;
    sentValues.current.push(text);
    onSend(text);
  }
  return { typed, setTyped, sendChange };
}
