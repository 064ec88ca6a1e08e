import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation, useRouteLoaderData } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { MAX_SEARCH_LENGTH } from '#lib/data/page.ts';
import { onceFilled, useRead } from '#session/use-read.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Field } from '#ui/form/field.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { focusField } from '#ui/form/use-submit.ts';
import type { loader } from '../../root.tsx';
import { Archive } from './archive.tsx';
import { ExampleContacts } from './example-contacts.tsx';
import { Group, UnsavedMark } from './group.tsx';
import { groups, type SettingsGroup, searchSettings } from './groups.ts';
import { History } from './history.tsx';
import { LegalTexts } from './legal-texts.tsx';
import { changedThing, type EarlierValue } from './model/history.ts';
import { listSettings, type StoredSettings } from './model/settings.ts';
import { labelsOf } from './model/table.ts';
import { ReplyTemplates } from './reply-templates.tsx';
import { Setting } from './setting.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { Webhooks } from './webhooks.tsx';
import { settingsScreen as words } from './words.ts';
import '#ui/admin/facts.css';

export const meta = privateTags('Settings');

export type SetUnsaved = (work: string, unsaved: boolean) => void;
export type EntryFormProps = { onUnsaved: SetUnsaved; onClose: () => void };

const inForm = groups.filter(({ names }) => names !== null);
// Same width as in settings.css: groups are open when the links are beside them.
const WIDE = '(min-width: 1024px)';

export default function Settings() {
  const stored = useRead(['settings'], listSettings, onceFilled);
  return (
    <>
      <ScreenHead title="Settings" about="What the site says about the agency. Changes go live at once." />
      <ExampleContacts />
      <Loaded query={stored} loading={words.loading} failed={words.failedToLoad}>
        {(settings) => <SettingsScreen initial={settings} />}
      </Loaded>
    </>
  );
}

function SettingsScreen({ initial }: { initial: StoredSettings }) {
  const [search, setSearch] = useState('');
  const [isWide] = useState(() => matchMedia(WIDE).matches);
  /** Names of unsaved work outside the form, such as `archive` or `legal/terms`. */
  const [unsavedWork, setUnsavedWork] = useState<readonly string[]>([]);
  const [earlierText, setEarlierText] = useState<Extract<EarlierValue, { subject: 'page' }> | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const { say } = useStatus();
  const element = useRef<HTMLFormElement>(null);
  const summaries = useRef(new Map<string, HTMLElement>()).current;
  const form = useSettingsForm(initial, showField);
  const isSaved = form.changed.length === 0;
  const changedLabels = labelsOf(form.changed);
  const { hash, key } = useLocation();
  const isOwn = useRouteLoaderData<typeof loader>('root')?.supabase.own === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again opens its group again
  useEffect(() => openGroup(summaries.get(hash.slice(1))), [hash, key]);

  const searched = search.trim();
  const matchingGroups = useMemo(() => searchSettings(searched), [searched]);
  const linked = useMemo(() => groups.filter(({ id }) => matchingGroups.has(id)), [matchingGroups]);
  const matches = [...matchingGroups.values()].reduce((sum, names) => sum + Math.max(1, names.length), 0);
  const isUnsaved = ({ id, names }: SettingsGroup) =>
    names ? form.changed.some((name) => names.includes(name)) : unsavedWork.some((work) => work.split('/')[0] === id);
  const shared = (group: SettingsGroup) => ({
    ref: (summary: HTMLElement | null) => void (summary && summaries.set(group.id, summary)),
    group,
    isSearched: search !== '',
    isUnsaved: isUnsaved(group),
    hidden: !matchingGroups.has(group.id),
  });
  const setUnsaved = useCallback<SetUnsaved>(
    (work, unsaved) =>
      setUnsavedWork((known) =>
        known.includes(work) === unsaved ? known : unsaved ? [...known, work] : known.filter((one) => one !== work),
      ),
    [],
  );

  function clearSearch() {
    setSearch('');
    searchField.current?.focus();
  }

  function showField(name: string) {
    flushSync(() => setSearch(''));
    focusField(element.current, name)?.scrollIntoView({ block: 'center' });
  }

  function showEarlier(earlier: EarlierValue) {
    if (earlier.subject === 'setting') {
      flushSync(() => form.setValue(earlier.name, earlier.value));
      showField(earlier.name);
    } else {
      flushSync(() => setSearch(''));
      setEarlierText({ ...earlier });
      openGroup(summaries.get('legal'));
    }
    say(`The earlier value of “${changedThing(earlier)}” is in the form. Save to apply it.`);
  }

  const contents: Record<string, ReactNode> = {
    replies: <ReplyTemplates onUnsaved={setUnsaved} />,
    webhooks: isOwn ? (
      <Webhooks onUnsaved={setUnsaved} />
    ) : (
      <p className="field-hint">This site’s data is stored by a hosting service. Set up webhooks in its dashboard.</p>
    ),
    legal: <LegalTexts earlier={earlierText} onUnsaved={setUnsaved} />,
    history: <History onTake={showEarlier} />,
    archive: <Archive isOwn={isOwn} onUnsaved={setUnsaved} />,
    server: <Server />,
  };
  return (
    <>
      {/* One guard for the whole screen, because the router supports a single blocker. */}
      <LeaveGuard unsaved={unsavedWork.length > 0} />
      <search className="stack gap-3 settings-search">
        <Field label="Search settings">
          {(aria) => (
            <span className="field-row stack gap-0">
              <input
                {...aria}
                ref={searchField}
                className="field-input"
                type="search"
                maxLength={MAX_SEARCH_LENGTH}
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
              {search && (
                <button type="button" className="field-button" onClick={clearSearch}>
                  Clear
                </button>
              )}
            </span>
          )}
        </Field>
        <div role="status">
          {searched && matches === 0 && <p className="empty">No setting matches “{searched}”.</p>}
          {searched && matches > 0 && <p className="hidden-text">{matches === 1 ? '1 match' : `${matches} matches`}</p>}
        </div>
      </search>
      <div className="settings-columns stack gap-6 top">
        <GroupLinks summaries={summaries} groups={linked} isUnsaved={isUnsaved} />
        <div ref={keepFocus}>
          <form ref={element} onSubmit={form.save} noValidate hidden={!inForm.some(({ id }) => matchingGroups.has(id))}>
            {inForm.map((group) => (
              <Group key={group.id} {...shared(group)} isOpen={isWide}>
                {group.names?.map((name) => (
                  <Setting key={name} form={form} name={name} hidden={!matchingGroups.get(group.id)?.includes(name)} />
                ))}
              </Group>
            ))}
            <div className="stack gap-3 bottom-bar settings-bar rule pad-y-3 below-5">
              {form.notice && <Banner kind={form.notice.kind}>{form.notice.text}</Banner>}
              <div className="cluster">
                <SmallButton variant="primary" type="submit" busy={form.busy} busyLabel="Saving..." disabled={isSaved}>
                  Save Changes
                </SmallButton>
                <SmallButton disabled={isSaved || form.busy} onClick={form.discard}>
                  Discard changes
                </SmallButton>
                <p className="field-hint">{isSaved ? 'Everything is saved.' : `${words.unsaved}: ${changedLabels}`}</p>
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

function openGroup(summary: HTMLElement | undefined) {
  const details = summary?.parentElement;
  if (!(details instanceof HTMLDetailsElement)) return;
  details.open = true;
  summary?.focus({ preventScroll: true });
  details.scrollIntoView();
}

function Server() {
  const site = useRouteLoaderData<typeof loader>('root');
  const facts = [
    ['Canonical origin', site?.origin],
    ['Backend', site?.supabase.url],
    ['Kind of backend', site?.supabase.own ? 'Our own, in the same process' : 'A hosted Supabase project'],
  ];
  return (
    <dl className="facts hairline">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? 'Unknown'}</dd>
        </div>
      ))}
    </dl>
  );
}

interface GroupLinksProps {
  summaries: ReadonlyMap<string, HTMLElement>;
  groups: readonly SettingsGroup[];
  isUnsaved: (group: SettingsGroup) => boolean;
}

function GroupLinks({ summaries, groups, isUnsaved }: GroupLinksProps) {
  const { hash } = useLocation();
  // The group of the address while it is fully visible, else the last one that starts in the top quarter or above.
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const updateCurrent = () => {
      const shown = groups.flatMap(({ id }) => summaries.get(id)?.parentElement ?? []);
      const linked = shown.find(({ id }) => hash === `#${id}`);
      const { top = -1, bottom = 0 } = linked?.getBoundingClientRect() ?? {};
      const isVisible = top >= 0 && bottom <= innerHeight;
      const current = shown.findLast((group) => group.getBoundingClientRect().top < innerHeight / 4) ?? shown[0];
      setCurrent((isVisible ? linked : current)?.id);
    };
    updateCurrent();
    addEventListener('scroll', updateCurrent, { passive: true });
    return () => removeEventListener('scroll', updateCurrent);
  }, [hash, groups, summaries]);
  return (
    <nav className="settings-links" aria-label="Settings">
      <ul>
        {groups.map((group) => (
          <li key={group.id}>
            <Link
              className="inline gap-2 plain"
              to={`#${group.id}`}
              aria-current={group.id === current ? 'location' : undefined}
              preventScrollReset
            >
              {group.title}
              {isUnsaved(group) && <UnsavedMark />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
