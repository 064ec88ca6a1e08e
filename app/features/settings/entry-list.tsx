import { flushSync } from 'react-dom';
import { Button } from '#ui/form/button.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { useFocusTargets } from '#ui/form/use-focus-targets.ts';
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
  const targets = useFocusTargets();
  const [noun] = field.noun;

  function changeAndFocus(next: DraftRecord[], ...names: string[]) {
    // Synchronously, so that the focused field takes the next keystroke.
    flushSync(() => onChange(next));
    targets.focus(...names);
  }

  function move(at: number, by: 1 | -1) {
    const to = at + by;
    const isEnd = to === 0 || to === entries.length - 1;
    changeAndFocus(entries.toSpliced(at, 1).toSpliced(to, 0, entries[at]!), `move ${isEnd ? -by : by} ${to}`);
  }

  return (
    <SettingsSection title={field.label} see={field.see} about={field.help}>
      <div className="form-stack entry-list">
        <ol className="rows">
          {entries.map((entry, at) => {
            const called = String(entry['name']).trim() || `${noun} ${at + 1}`;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no state of its own
              <li className="row" key={at}>
                <fieldset className="grid top setting-fields row-words">
                  <legend className="hidden-text">
                    {`${noun[0]!.toUpperCase()}${noun.slice(1)}`} {at + 1}
                  </legend>
                  <SettingInputs
                    fields={field.fields}
                    name={`${name}.${at}`}
                    draft={entry}
                    errors={errors}
                    firstRef={targets.ref(`entry ${at}`)}
                    onChange={(next) => onChange(entries.with(at, next))}
                  />
                </fieldset>
                <div>
                  <StepButtons
                    buttonRef={(by) => targets.ref(`move ${by} ${at}`)}
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
                      changeAndFocus(entries.toSpliced(at, 1), `entry ${Math.min(at, entries.length - 2)}`, 'add')
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
          ref={targets.ref('add')}
          disabled={entries.length >= field.most}
          onClick={() => changeAndFocus([...entries, emptyEntry(field)], `entry ${entries.length}`)}
        >
          <Icon name="plus" /> Add a {noun}
        </Button>
      </div>
    </SettingsSection>
  );
}
