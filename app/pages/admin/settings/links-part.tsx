import { useRef } from 'react';
import { href } from 'react-router';
import { settingWords } from '../../../copy/admin/settings.ts';
import { LONGEST_SETTING, MOST_LINKS } from '../../../models/settings/settings.ts';
import { Button } from '../../../ui/form/button.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { StepButtons } from '../../../ui/form/sort-controls.tsx';
import { textIn } from '../../../ui/form/use-submit.ts';
import { useTyped } from '../../../ui/form/use-typed.ts';
import { Icon } from '../../../ui/icon.tsx';
import './links.css';
import { Group, Setting, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const LinksPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Calendars" see={`${href('/')}#contact`}>
      <TextSettingField form={form} name="book_meeting" type="url" />
      <TextSettingField form={form} name="book_strategy_call" type="url" />
    </Group>
    <Group title="Joining" see={href('/join')}>
      <TextSettingField form={form} name="application_form" type="url" />
    </Group>
    <Group title={settingWords.social.label} see={href('/about')}>
      <Setting form={form} name="social">
        <SocialLinks form={form} />
      </Setting>
    </Group>
  </>
);

function SocialLinks({ form: { element, links, setLinks, errors } }: { form: SettingsForm }) {
  const list = useRef<HTMLDivElement>(null);
  function focus(...selectors: string[]) {
    for (const selector of selectors) {
      const found = list.current?.querySelector<HTMLElement>(selector);
      if (found && !found.matches(':disabled')) return found.focus();
    }
  }

  function move(at: number, by: 1 | -1, button: string) {
    setLinks(links.toSpliced(at, 1).toSpliced(at + by, 0, links[at]!));
    const goesOn = '.sort-button[aria-disabled="false"]';
    focus(`[id="${button}"]${goesOn}`, `[data-link="${at + by}"] ${goesOn}`);
  }

  function remove(at: number) {
    setLinks(links.toSpliced(at, 1));
    focus(`[data-link="${Math.min(at, links.length - 2)}"] input`, '[data-add]');
  }

  function add() {
    setLinks([...links, Math.max(-1, ...links) + 1]);
    focus(`[data-link="${links.length}"] input`);
  }

  return (
    <div className="stack social-links" ref={list}>
      <p className="field-hint">{settingWords.social.hint}</p>
      <ol>
        {links.map((key, at) => (
          <li key={key} data-link={at}>
            <fieldset>
              <legend className="hidden-text">Link {at + 1}</legend>
              <TextField
                label="Name"
                name={`social.${at}.name`}
                maxLength={LONGEST_SETTING.link}
                autoComplete="off"
                error={errors[`social.${at}.name`]}
              />
              <TextField
                label="Address"
                name={`social.${at}.href`}
                type="url"
                autoComplete="off"
                error={errors[`social.${at}.href`]}
              />
            </fieldset>
            <LinkButtons
              element={element}
              id={`link-${key}`}
              at={at}
              last={at === links.length - 1}
              onMove={(by, button) => move(at, by, button)}
              onRemove={() => remove(at)}
            />
          </li>
        ))}
      </ol>
      {errors['social'] && (
        <p className="field-error" role="alert">
          {errors['social']}
        </p>
      )}
      <Button
        variant="secondary"
        size="admin"
        name="social"
        data-add
        disabled={links.length >= MOST_LINKS}
        onClick={add}
      >
        <Icon name="plus" /> Add a link
      </Button>
    </div>
  );
}

function LinkButtons({
  element,
  id,
  at,
  last,
  onMove,
  onRemove,
}: {
  element: HTMLFormElement | null;
  id: string;
  at: number;
  last: boolean;
  onMove: (by: 1 | -1, button: string) => void;
  onRemove: () => void;
}) {
  const called = useTyped(element, (typed) => textIn(typed, `social.${at}.name`)) || `link ${at + 1}`;
  return (
    <div className="social-actions">
      <StepButtons id={id} name={called} first={at === 0} last={last} onStep={onMove} />
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
