import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import { LONGEST_SEARCH } from '#lib/data/page.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { Field } from '#ui/form/field.tsx';
import { Archive } from './archive.tsx';
import { Group } from './group.tsx';
import { GroupLinks } from './group-links.tsx';
import { groups, type SettingsGroup, searchSettings } from './groups.ts';
import { History } from './history.tsx';
import { LegalTexts } from './legal-texts.tsx';
import { changedThing, type Earlier } from './model/history.ts';
import type { StoredSettings } from './model/settings.ts';
import { settings } from './model/table.ts';
import { ReplyTemplates } from './reply-templates.tsx';
import { Server } from './server.tsx';
import { Setting } from './setting.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { settingsHistory as historyWords, settingsScreen as words } from './words.ts';

export type SetUnsaved = (work: string, unsaved: boolean) => void;

const inForm = groups.filter(({ names }) => names !== null);
// As settings.css: with the links beside them, groups are open.
const WIDE = '(min-width: 1024px)';

export function SettingsScreen({ initial }: { initial: StoredSettings }) {
  const [search, setSearch] = useState('');
  const [isWide] = useState(() => matchMedia(WIDE).matches);
  /** Unsaved work outside the form: `archive`, `legal/terms`. */
  const [unsavedWork, setUnsavedWork] = useState<readonly string[]>([]);
  const [earlierText, setEarlierText] = useState<Extract<Earlier, { subject: 'page' }> | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const { say } = useStatus();
  const form = useSettingsForm(initial, focusField);
  useOpenLinkedGroup();

  const found = searchSettings(search.trim());
  const matches = [...found.values()].reduce((sum, names) => sum + Math.max(1, names.length), 0);
  const isUnsaved = ({ id, names }: SettingsGroup) =>
    names ? form.changed.some((name) => names.includes(name)) : unsavedWork.some((work) => work.split('/')[0] === id);
  const shared = (group: SettingsGroup) => ({
    group,
    isSearched: search !== '',
    isUnsaved: isUnsaved(group),
    hidden: !found.has(group.id),
  });
  const setUnsaved = useCallback<SetUnsaved>(
    (work, unsaved) => setUnsavedWork((known) => [...known.filter((one) => one !== work), ...(unsaved ? [work] : [])]),
    [],
  );

  function focusField(name: string) {
    flushSync(() => setSearch(''));
    const field = document.querySelector<HTMLElement>(`#settings [name="${name}"], #settings [name^="${name}."]`);
    const group = field?.closest('details');
    if (!field || !group) return;
    group.open = true;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center' });
  }

  function showEarlier(earlier: Earlier) {
    if (earlier.subject === 'setting') {
      flushSync(() => form.setValue(earlier.name, earlier.value));
      focusField(earlier.name);
    } else {
      flushSync(() => setSearch(''));
      setEarlierText({ ...earlier });
      openGroup('legal');
    }
    say(historyWords.taken(changedThing(earlier)));
  }

  const contents: Record<string, ReactNode> = {
    replies: <ReplyTemplates onUnsaved={setUnsaved} />,
    legal: <LegalTexts earlier={earlierText} onUnsaved={setUnsaved} />,
    history: <History onTake={showEarlier} />,
    archive: <Archive onUnsaved={setUnsaved} />,
    server: <Server />,
  };
  return (
    <>
      {/* One for the whole screen: the router supports a single blocker. */}
      <LeaveGuard unsaved={form.changed.length > 0 || unsavedWork.length > 0} />
      <search className="settings-search">
        <Field label={words.search}>
          {(aria) => (
            <span className="field-row">
              <input
                {...aria}
                ref={searchField}
                className="field-input"
                type="search"
                maxLength={LONGEST_SEARCH}
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
              {search && (
                <button
                  type="button"
                  className="field-button"
                  onClick={() => {
                    setSearch('');
                    searchField.current?.focus();
                  }}
                >
                  {words.clearSearch}
                </button>
              )}
            </span>
          )}
        </Field>
        <div role="status">
          {search.trim() &&
            (matches === 0 ? (
              <p className="empty">{words.noneFound(search.trim())}</p>
            ) : (
              <p className="hidden-text">{words.found(matches)}</p>
            ))}
        </div>
      </search>
      <div className="settings-columns" id="settings">
        <GroupLinks groups={groups.filter(({ id }) => found.has(id))} isUnsaved={isUnsaved} />
        <div>
          <form onSubmit={form.save} noValidate hidden={!inForm.some(({ id }) => found.has(id))}>
            {inForm.map((group) => (
              <Group key={group.id} {...shared(group)} isOpen={isWide}>
                {group.names?.map((name) => (
                  <Setting key={name} form={form} name={name} hidden={!found.get(group.id)?.includes(name)} />
                ))}
              </Group>
            ))}
            <div className="settings-bar">
              {form.notice && <Banner kind={form.notice.kind}>{form.notice.text}</Banner>}
              <div className="cluster">
                <Button
                  type="submit"
                  size="admin"
                  busy={form.busy}
                  busyLabel={words.saving}
                  disabled={form.changed.length === 0}
                >
                  {words.save}
                </Button>
                <Button
                  variant="secondary"
                  size="admin"
                  disabled={form.changed.length === 0 || form.busy}
                  onClick={form.discard}
                >
                  {words.discard}
                </Button>
                <p className="field-hint">
                  {form.changed.length === 0
                    ? words.nothingToSave
                    : `${words.unsaved}: ${form.changed.map((name) => settings[name].label).join(', ')}`}
                </p>
              </div>
            </div>
          </form>
          {Object.entries(contents).map(([id, content]) => (
            <Group key={id} {...shared(groups.find((group) => group.id === id)!)} isLazy>
              {content}
            </Group>
          ))}
        </div>
      </div>
    </>
  );
}

function useOpenLinkedGroup() {
  const location = useLocation();
  useEffect(() => openGroup(location.hash.slice(1)), [location]);
}

function openGroup(id: string) {
  const group = document.getElementById(id);
  if (!(group instanceof HTMLDetailsElement)) return;
  group.open = true;
  group.querySelector('summary')?.focus({ preventScroll: true });
  group.scrollIntoView();
}
