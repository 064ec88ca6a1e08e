import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { SettingsSection } from '#features/settings/group.tsx';
import { newId } from '#lib/data/ids.ts';
import { moveTo } from '#lib/data/sorting.ts';
import { type ErrorsByPlace, type FieldSpec, type Fields, sectionFields, type Values } from '#lib/fields/field.ts';
import { emptyValues } from '#lib/fields/field-draft.ts';
import { FieldError } from '#ui/admin/field-error.tsx';
import { IconButton, SmallButton } from '#ui/form/button.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { draftText } from './model/draft-text.ts';

type EntriesField = Extract<FieldSpec, { kind: 'list' | 'sections' }>;

/** What differs between a list, whose entries are alike, and sections of several kinds. */
function partsOf(field: EntriesField) {
  if (field.kind === 'sections')
    return {
      noun: field.noun?.[0] ?? 'section',
      see: undefined,
      additions: Object.entries(field.kinds).map(([kind, { label, fields }]) => ({
        label: `Add ${label.toLowerCase()}`,
        entry: (): Values => ({ kind, ...emptyValues(fields) }),
      })),
      fieldsOf: (entry: Values) => sectionFields(field, entry),
      kindOf: (entry: Values) => field.kinds[String(entry['kind'])]?.label,
      nameOf: ({ name, title = name }: Values) => title && `“${title}”`,
    };
  const [noun] = field.noun;
  const [[first, naming]] = Object.entries(field.fields) as [[string, FieldSpec]];
  return {
    noun,
    see: field.see,
    additions: [{ label: `Add ${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`, entry: () => emptyValues(field.fields) }],
    fieldsOf: () => field.fields,
    kindOf: () => undefined,
    nameOf: (entry: Values) => draftText(naming, entry[first]).slice(0, 60),
  };
}

interface EntryListProps {
  field: EntriesField;
  name: string;
  draft: readonly Values[];
  errors: ErrorsByPlace;
  onChange: (entries: Values[]) => void;
  children: (input: { fields: Fields; name: string; draft: Values; onChange: (draft: Values) => void }) => ReactNode;
}

export function EntryList({ field, name, draft: entries, errors, onChange, children }: EntryListProps) {
  const { noun, see, additions, fieldsOf, kindOf, nameOf } = partsOf(field);

  // Entries keep their inputs, with uploads and undo history, when they move.
  const keys = useRef<readonly string[]>([]);
  keys.current = entries.map((_, at) => keys.current[at] ?? newId());

  function change({ form }: HTMLButtonElement, next: Values[], focused: string) {
    // Renders synchronously, so that the next keystroke reaches the new field.
    flushSync(() => onChange(next));
    focusField(form, focused);
  }

  function move(button: HTMLButtonElement, at: number, by: 1 | -1) {
    const to = at + by;
    const isEnd = to === 0 || to === entries.length - 1;
    keys.current = moveTo(keys.current, keys.current[at]!, to);
    const direction = (isEnd ? -by : by) > 0 ? 'down' : 'up';
    change(button, entries.toSpliced(at, 1).toSpliced(to, 0, entries[at]!), `${name}.${to}.${direction}`);
  }

  return (
    <SettingsSection title={field.label} see={see} about={field.help} role="group">
      <div className="form-stack entry-list">
        <ol className="hairline">
          {entries.map((entry, at) => {
            const kind = kindOf(entry);
            const called = [kind, nameOf(entry)].filter(Boolean).join(' ').trim() || `${noun} ${at + 1}`;
            return (
              <li className="row" key={keys.current[at]}>
                <fieldset className="grid top setting-fields shrink row-words">
                  <legend className="hidden-text">
                    {`${noun[0]!.toUpperCase()}${noun.slice(1)}`} {at + 1}
                  </legend>
                  {kind && <p className="bold across">{kind}</p>}
                  {children({
                    fields: fieldsOf(entry),
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
                  <IconButton
                    icon="trash"
                    danger
                    label={`Remove ${called}`}
                    onClick={({ currentTarget }) => {
                      keys.current = keys.current.toSpliced(at, 1);
                      const left = entries.toSpliced(at, 1);
                      change(currentTarget, left, left.length > 0 ? `${name}.${Math.min(at, left.length - 1)}` : name);
                    }}
                  />
                </div>
              </li>
            );
          })}
        </ol>
        <FieldError>{errors[name]}</FieldError>
        <div className="button-row">
          {additions.map(({ label, entry }) => (
            <SmallButton
              key={label}
              name={name}
              disabled={entries.length >= field.most}
              onClick={({ currentTarget }) => change(currentTarget, [...entries, entry()], `${name}.${entries.length}`)}
            >
              <Icon name="plus" /> {label}
            </SmallButton>
          ))}
        </div>
      </div>
    </SettingsSection>
  );
}
