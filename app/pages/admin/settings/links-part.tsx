import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { href } from 'react-router';
import { settingWords } from '../../../copy/admin/settings.ts';
import type { LinkFields } from '../../../models/settings/form.ts';
import { Button } from '../../../ui/form/button.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import './links.css';
import { Group, Setting, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const MOST_LINKS = 12;

export const LinksPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Calendars" see={`${href('/')}#contact`}>
      <TextSettingField form={form} name="book_meeting" type="url" autoComplete="off" />
      <TextSettingField form={form} name="book_strategy_call" type="url" autoComplete="off" />
    </Group>
    <Group title="Joining" see={href('/join')}>
      <TextSettingField form={form} name="application_form" type="url" autoComplete="off" />
    </Group>
    <Group title={settingWords.social.label} see={href('/about')}>
      <Setting form={form} name="social">
        <SocialLinks form={form} />
      </Setting>
    </Group>
  </>
);

/** Links that are added, taken away and put in order, by pointer and keys. */
function SocialLinks({ form }: { form: SettingsForm }) {
  const list = useRef<HTMLDivElement>(null);
  const links = form.fields.social;
  const set = (next: LinkFields[]) => form.set('social', next);
  /** At once, so that what is led to is there: a letter typed after the press would be lost. */
  const draw = (next: LinkFields[]) => flushSync(() => set(next));
  const change = (id: number, to: Partial<LinkFields>) =>
    set(links.map((link) => (link.id === id ? { ...link, ...to } : link)));
  /** The first of these that can be used gets the focus. */
  function focus(...selectors: string[]) {
    for (const selector of selectors) {
      const element = list.current?.querySelector<HTMLElement>(selector);
      if (element && !element.matches(':disabled')) return element.focus();
    }
  }

  function move(at: number, by: 1 | -1) {
    const next = links.toSpliced(at, 1).toSpliced(at + by, 0, links[at]!);
    draw(next);
    const way = (direction: number) => `[data-link="${at + by}"] [data-move="${direction}"]`;
    focus(way(by), way(-by));
  }

  function remove(at: number) {
    draw(links.toSpliced(at, 1));
    focus(`[data-link="${Math.min(at, links.length - 2)}"] input`, '[data-add]');
  }

  function add() {
    draw([...links, { id: Math.max(-1, ...links.map(({ id }) => id)) + 1, name: '', href: '' }]);
    focus(`[data-link="${links.length}"] input`);
  }

  return (
    <div className="stack social-links" ref={list}>
      <p className="field-hint">{settingWords.social.hint}</p>
      <ol>
        {links.map((link, at) => {
          const called = link.name.trim() || `link ${at + 1}`;
          return (
            <li key={link.id} data-link={at}>
              <fieldset>
                <legend className="hidden-text">Link {at + 1}</legend>
                <TextField
                  label="Name"
                  name={`social.${at}.name`}
                  maxLength={40}
                  autoComplete="off"
                  value={link.name}
                  error={form.errors[`social.${at}.name`]}
                  onChange={(event) => change(link.id, { name: event.target.value })}
                />
                <TextField
                  label="Address"
                  name={`social.${at}.href`}
                  type="url"
                  autoComplete="off"
                  value={link.href}
                  error={form.errors[`social.${at}.href`]}
                  onChange={(event) => change(link.id, { href: event.target.value })}
                />
              </fieldset>
              <div className="social-actions">
                <IconButton
                  icon="arrow-up"
                  label={`Move ${called} up`}
                  move={-1}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon="arrow-down"
                  label={`Move ${called} down`}
                  move={1}
                  disabled={at === links.length - 1}
                  onClick={() => move(at, 1)}
                />
                <IconButton icon="trash" label={`Remove ${called}`} onClick={() => remove(at)} />
              </div>
            </li>
          );
        })}
      </ol>
      {form.errors['social'] && (
        <p className="field-error" role="alert">
          {form.errors['social']}
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

const IconButton = ({
  icon,
  label,
  move,
  disabled,
  onClick,
}: {
  icon: 'arrow-up' | 'arrow-down' | 'trash';
  label: string;
  move?: 1 | -1;
  disabled?: boolean;
  onClick: () => void;
}) => (
  <button
    type="button"
    className={`icon-button${icon === 'trash' ? ' icon-button-danger' : ''}`}
    aria-label={label}
    title={label}
    data-move={move}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);
