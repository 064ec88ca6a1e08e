import { type ComponentType, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import {
  settingsHistory as historyWords,
  settingWords,
  settingsScreen as words,
} from '../../../copy/admin/settings.ts';
import { type LegalSlug, legal } from '../../../copy/public/legal.ts';
import { settingAt } from '../../../models/settings/form.ts';
import { changedThing, type Earlier } from '../../../models/settings/history.ts';
import type { WrittenText } from '../../../models/settings/legal-page.ts';
import type { SettingName, StoredSettings } from '../../../models/settings/settings.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { LeaveGuard } from '../leave-guard.tsx';
import { AgencyPart } from './agency-part.tsx';
import { ArchivePart } from './archive-part.tsx';
import { HistoryPart } from './history-part.tsx';
import { LegalTextForm } from './legal-text-form.tsx';
import { LinksPart } from './links-part.tsx';
import { MasterclassPart } from './masterclass-part.tsx';
import { MessagesPart } from './messages-part.tsx';
import { PageDefaultsPart } from './page-defaults-part.tsx';
import { PageViewsPart } from './page-views-part.tsx';
import { PeoplePart } from './people-part.tsx';
import { PublishingPart } from './publishing-part.tsx';
import { RepliesPart } from './replies-part.tsx';
import { SecurityPart } from './security-part.tsx';
import { ServerPart } from './server-part.tsx';
import { SplitPart } from './split-part.tsx';
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts';

interface Part {
  id: string;
  label: string;
  Fields?: ComponentType<{ form: SettingsForm }>;
  settings: readonly SettingName[];
}

const PARTS: readonly Part[] = [
  {
    id: 'agency',
    label: 'Agency',
    Fields: AgencyPart,
    settings: ['site_name', 'organisation', 'email', 'phone', 'chat_number', 'address', 'city', 'country'],
  },
  {
    id: 'links',
    label: 'Links',
    Fields: LinksPart,
    settings: ['book_meeting', 'book_strategy_call', 'application_form', 'social'],
  },
  { id: 'people', label: 'People', Fields: PeoplePart, settings: ['people', 'teachers'] },
  {
    id: 'defaults',
    label: 'Page defaults',
    Fields: PageDefaultsPart,
    settings: ['default_title', 'default_description', 'default_cover', 'picture_hosts'],
  },
  { id: 'masterclass', label: 'Masterclass', Fields: MasterclassPart, settings: ['masterclass'] },
  { id: 'counting', label: 'Reading counts', Fields: PageViewsPart, settings: ['analytics'] },
  {
    id: 'messages',
    label: 'Messages',
    Fields: MessagesPart,
    settings: ['contact_message_days', 'submitter_address_days'],
  },
  { id: 'split', label: 'Profit split', Fields: SplitPart, settings: ['unallocated_share_to'] },
  { id: 'security', label: 'Security', Fields: SecurityPart, settings: ['admins_need_second_factor'] },
  { id: 'publishing', label: 'Publishing', Fields: PublishingPart, settings: ['publishing_needs_checks'] },
  { id: 'replies', label: 'Replies', settings: [] },
  { id: 'legal', label: 'Legal pages', settings: [] },
  { id: 'history', label: 'History', settings: [] },
  { id: 'archive', label: 'Archive', settings: [] },
  { id: 'server', label: 'Server', settings: [] },
];

const partOf = (place: string) => PARTS.find(({ settings }) => settings.includes(settingAt(place)));

export function SettingsParts({
  settings,
  texts,
}: {
  settings: StoredSettings;
  texts: Partial<Record<LegalSlug, WrittenText>>;
}) {
  // The fragment, because a changed query would reload every loader.
  const { hash } = useLocation();
  const navigate = useNavigate();
  const shown = PARTS.find(({ id }) => hash === `#${id}`) ?? PARTS[0]!;
  const form = useSettingsForm(settings);
  const [downloading, setDownloading] = useState(false);
  const [unsavedTexts, setUnsavedTexts] = useState<readonly LegalSlug[]>([]);
  const { say } = useStatus();
  const [earlierText, setEarlierText] = useState<Extract<Earlier, { subject: 'page' }> | null>(null);
  async function take(earlier: Earlier) {
    if (earlier.subject === 'page') setEarlierText({ ...earlier });
    else form.fill(earlier.name, earlier.value);
    await navigate(`#${earlier.subject === 'page' ? 'legal' : partOf(earlier.name)?.id}`, { preventScrollReset: true });
    say(historyWords.taken(changedThing(earlier)));
  }

  const unsaved = ({ id, settings: own }: Part) =>
    id === 'legal' ? unsavedTexts.length > 0 : own.some((name) => form.changed.includes(name));

  const { place, lookAt, element, busy } = form;
  useEffect(() => {
    if (place === null || busy) return;
    if (partOf(place) !== shown) return void navigate(`#${partOf(place)?.id}`, { preventScrollReset: true });
    const field = element?.querySelector<HTMLElement>(`[name="${place}"], [name^="${place}."]`);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
    lookAt(null);
  }, [place, lookAt, element, busy, shown, navigate]);

  return (
    <>
      {/* One for all tabs: the router supports a single blocker. */}
      <LeaveGuard unsaved={form.changed.length > 0 || unsavedTexts.length > 0 || downloading} />
      <nav className="settings-parts" aria-label="Settings">
        <ul>
          {PARTS.map((part) => (
            <li key={part.id}>
              <Link to={`#${part.id}`} aria-current={part === shown ? 'page' : undefined} preventScrollReset>
                {part.label}
                {unsaved(part) && (
                  <span className="edged settings-mark">
                    <span className="hidden-text"> ({words.unsaved})</span>
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <form
        className="settings-form"
        ref={form.attach}
        onSubmit={form.save}
        onInput={form.settle}
        noValidate
        hidden={!shown.Fields}
      >
        {PARTS.map(
          ({ id, Fields }) =>
            Fields && (
              <div key={id} hidden={id !== shown.id}>
                <Fields form={form} />
              </div>
            ),
        )}
        <div className="settings-bar">
          {form.notice && <Banner kind={form.notice.kind}>{form.notice.text}</Banner>}
          <div className="cluster settings-bar-row">
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
            <p className="settings-state">
              {form.changed.length === 0
                ? words.nothingToSave
                : `${words.unsaved}: ${form.changed.map((name) => settingWords[name].label).join(', ')}`}
            </p>
          </div>
        </div>
      </form>
      <div hidden={shown.id !== 'legal'}>
        {(Object.keys(legal) as LegalSlug[]).map((slug) => (
          <LegalTextForm
            key={slug}
            slug={slug}
            initial={texts[slug]}
            earlier={earlierText?.name === slug ? earlierText : null}
            onUnsaved={(is) =>
              setUnsavedTexts((known) => (is ? [...new Set([...known, slug])] : known.filter((one) => one !== slug)))
            }
          />
        ))}
      </div>
      {shown.id === 'replies' && <RepliesPart />}
      {shown.id === 'history' && <HistoryPart onTake={(earlier) => void take(earlier)} />}
      <div hidden={shown.id !== 'archive'}>
        <ArchivePart onRunning={setDownloading} />
      </div>
      <div hidden={shown.id !== 'server'}>
        <ServerPart />
      </div>
    </>
  );
}
