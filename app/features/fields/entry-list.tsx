import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { SettingsSection } from '#features/settings/group.tsx';
import type { Values } from '#lib/fields/field.ts';
import { SmallButton } from '#ui/form/button.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';

/** Ordered entries with the fields of each. @param additions buttons that add an entry, which begins as given */
export function EntryList({
  field: { label, help, see, most },
  noun,
  name,
  error,
  entries,
  additions,
  nameOf,
  onChange,
  children,
}: {
  field: { label: string; help?: string | undefined; see?: string; most: number };
  noun: string;
  name: string;
  error: string | undefined;
  entries: readonly Values[];
  additions: readonly { label: string; entry: Values }[];
  nameOf: (entry: Values) => string;
  onChange: (entries: Values[]) => void;
  children: (input: { name: string; draft: Values; onChange: (draft: Values) => void }) => ReactNode;
}) {
  function change({ form }: HTMLButtonElement, next: Values[], focused: string) {
    // Renders synchronously, so that the next keystroke reaches the new field.
    flushSync(() => onChange(next));
    focusField(form, focused);
  }

  function move(button: HTMLButtonElement, at: number, by: 1 | -1) {
    const to = at + by;
    const isEnd = to === 0 || to === entries.length - 1;
    const direction = (isEnd ? -by : by) > 0 ? 'down' : 'up';
    change(button, entries.toSpliced(at, 1).toSpliced(to, 0, entries[at]!), `${name}.${to}.${direction}`);
  }

  return (
    <SettingsSection title={label} see={see} about={help} role="group">
      <div className="form-stack entry-list">
        <ol className="hairline">
          {entries.map((entry, at) => {
            const called = nameOf(entry).trim() || `${noun} ${at + 1}`;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no state of its own
              <li className="row" key={at}>
                <fieldset className="grid top setting-fields shrink row-words">
                  <legend className="hidden-text">
                    {`${noun[0]!.toUpperCase()}${noun.slice(1)}`} {at + 1}
                  </legend>
                  {children({
                    name: `${name}.${at}`,
                    draft: entry,
                    onChange: (changed) => onChange(entries.with(at, changed)),
                  })}
                </fieldset>
                <div>
                  <StepButtons
                    field={`${name}.${at}`}
                    name={called}
                    first={at === 0}
                    last={at === entries.length - 1}
                    onStep={(by, button) => move(button, at, by)}
                  />
                  <button
                    type="button"
                    className="icon-button icon-button-danger"
                    aria-label={`Remove ${called}`}
                    onClick={({ currentTarget }) => {
                      const left = entries.toSpliced(at, 1);
                      change(currentTarget, left, left.length > 0 ? `${name}.${Math.min(at, left.length - 1)}` : name);
                    }}
                  >
                    <Icon name="trash" />
                  </button>
                </div>
              </li>
            );
          })}
        </ol>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
        <div className="button-row">
          {additions.map(({ label, entry }) => (
            <SmallButton
              key={label}
              name={name}
              disabled={entries.length >= most}
              onClick={({ currentTarget }) => change(currentTarget, [...entries, entry], `${name}.${entries.length}`)}
            >
              <Icon name="plus" /> {label}
            </SmallButton>
          ))}
        </div>
      </div>
    </SettingsSection>
  );
}
