import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#ui/form/button.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { Icon } from '#ui/icon.tsx';
import type { ListField } from './model/field.ts';
import { type DraftRecord, emptyEntry, type SettingErrors } from './model/form.ts';
import { SettingInputs } from './setting-input.tsx';
import { SettingsSection } from './settings-section.tsx';

export function EntryList({
  field,
  name,
  entries,
  errors,
  onChange,
}: {
  field: ListField;
  name: string;
  entries: readonly DraftRecord[];
  errors: SettingErrors;
  onChange: (entries: DraftRecord[]) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [noun] = field.noun;

  /** Focuses the first of `selectors` that is there and enabled. */
  function changeAndFocus(next: DraftRecord[], ...selectors: string[]) {
    // Synchronously, so that the focused field takes the next keystroke.
    flushSync(() => onChange(next));
    const found = selectors.map((selector) => list.current?.querySelector<HTMLElement>(selector));
    found.find((element) => element && !element.matches(':disabled'))?.focus();
  }

  function move(at: number, by: 1 | -1) {
    const enabled = `[data-entry="${at + by}"] .sort-button[aria-disabled="false"]`;
    const same = `${enabled}[id^="arrow-${by === 1 ? 'down' : 'up'}"]`;
    changeAndFocus(entries.toSpliced(at, 1).toSpliced(at + by, 0, entries[at]!), same, enabled);
  }

  return (
    <SettingsSection title={field.label} see={field.see} about={field.help}>
      <div className="form-stack entry-list" ref={list}>
        <ol className="rows">
          {entries.map((entry, at) => {
            const called = String(entry['name']).trim() || `${noun} ${at + 1}`;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no state of its own
              <li className="row" key={at} data-entry={at}>
                <fieldset className="setting-fields row-words">
                  <legend className="hidden-text">
                    {`${noun[0]!.toUpperCase()}${noun.slice(1)}`} {at + 1}
                  </legend>
                  <SettingInputs
                    fields={field.fields}
                    name={`${name}.${at}`}
                    draft={entry}
                    errors={errors}
                    onChange={(next) => onChange(entries.with(at, next))}
                  />
                </fieldset>
                <div>
                  <StepButtons
                    id={`${name}-${at}`}
                    name={called}
                    first={at === 0}
                    last={at === entries.length - 1}
                    onStep={(by) => move(at, by)}
                  />
                  <button
                    type="button"
                    className="icon-button icon-button-danger"
                    aria-label={`Remove ${called}`}
                    onClick={() =>
                      changeAndFocus(
                        entries.toSpliced(at, 1),
                        `[data-entry="${Math.min(at, entries.length - 2)}"] input`,
                        '[data-add]',
                      )
                    }
                  >
                    <Icon name="trash" />
                  </button>
                </div>
              </li>
            );
          })}
        </ol>
        {errors[name] && (
          <p className="field-error" role="alert">
            {errors[name]}
          </p>
        )}
        <Button
          variant="secondary"
          size="admin"
          name={name}
          data-add
          disabled={entries.length >= field.most}
          onClick={() => changeAndFocus([...entries, emptyEntry(field)], `[data-entry="${entries.length}"] input`)}
        >
          <Icon name="plus" /> Add a {noun}
        </Button>
      </div>
    </SettingsSection>
  );
}
