import { type ReactNode, useRef } from 'react';
import { settingWords } from '../../../copy/admin/settings.ts';
import type { ListSetting } from '../../../models/settings/form.ts';
import { MOST_ENTRIES } from '../../../models/settings/settings.ts';
import { Button } from '../../../ui/form/button.tsx';
import { StepButtons } from '../../../ui/form/sort-controls.tsx';
import { textIn } from '../../../ui/form/use-submit.ts';
import { useTyped } from '../../../ui/form/use-typed.ts';
import { Icon } from '../../../ui/icon.tsx';
import './entry-list.css';
import { Setting } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

interface EntryField {
  name: string;
  autoComplete: 'off';
  error: string | undefined;
}

/** A setting that is a list: entries with the same fields, added, moved and removed. @param noun such as `link` */
export function EntryList({
  form,
  name,
  noun,
  fields,
}: {
  form: SettingsForm;
  name: ListSetting;
  noun: string;
  fields: (bound: (field: string) => EntryField) => ReactNode;
}) {
  const { element, errors } = form;
  const keys = form.entries[name];
  const list = useRef<HTMLDivElement>(null);
  const change = (next: number[]) => form.setEntries(name, next);

  function focus(...selectors: string[]) {
    for (const selector of selectors) {
      const found = list.current?.querySelector<HTMLElement>(selector);
      if (found && !found.matches(':disabled')) return found.focus();
    }
  }

  function move(at: number, by: 1 | -1, button: string) {
    change(keys.toSpliced(at, 1).toSpliced(at + by, 0, keys[at]!));
    const goesOn = '.sort-button[aria-disabled="false"]';
    focus(`[id="${button}"]${goesOn}`, `[data-entry="${at + by}"] ${goesOn}`);
  }

  function remove(at: number) {
    change(keys.toSpliced(at, 1));
    focus(`[data-entry="${Math.min(at, keys.length - 2)}"] input`, '[data-add]');
  }

  function add() {
    change([...keys, Math.max(-1, ...keys) + 1]);
    focus(`[data-entry="${keys.length}"] input`);
  }

  return (
    <Setting form={form} name={name}>
      <div className="stack entry-list" ref={list}>
        <p className="field-hint">{settingWords[name].hint}</p>
        <ol>
          {keys.map((key, at) => (
            <li key={key} data-entry={at}>
              <fieldset>
                <legend className="hidden-text">
                  {`${noun[0]!.toUpperCase()}${noun.slice(1)}`} {at + 1}
                </legend>
                {fields((field) => {
                  const place = `${name}.${at}.${field}`;
                  return { name: place, autoComplete: 'off', error: errors[place] };
                })}
              </fieldset>
              <EntryButtons
                element={element}
                id={`${name}-${key}`}
                place={`${name}.${at}`}
                otherwise={`${noun} ${at + 1}`}
                first={at === 0}
                last={at === keys.length - 1}
                onMove={(by, button) => move(at, by, button)}
                onRemove={() => remove(at)}
              />
            </li>
          ))}
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
          disabled={keys.length >= MOST_ENTRIES[name]}
          onClick={add}
        >
          <Icon name="plus" /> Add a {noun}
        </Button>
      </div>
    </Setting>
  );
}

function EntryButtons({
  element,
  id,
  place,
  otherwise,
  first,
  last,
  onMove,
  onRemove,
}: {
  element: HTMLFormElement | null;
  id: string;
  place: string;
  otherwise: string;
  first: boolean;
  last: boolean;
  onMove: (by: 1 | -1, button: string) => void;
  onRemove: () => void;
}) {
  const called = useTyped(element, (typed) => textIn(typed, `${place}.name`)) || otherwise;
  return (
    <div className="entry-actions">
      <StepButtons id={id} name={called} first={first} last={last} onStep={onMove} />
      <button
        type="button"
        className="icon-button icon-button-danger"
        aria-label={`Remove ${called}`}
        onClick={onRemove}
      >
        <Icon name="trash" />
      </button>
    </div>
  );
}
