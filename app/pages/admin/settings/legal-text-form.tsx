import { useEffect, useState } from 'react';
import { MESSAGE_STAYS } from '../../../copy/admin/admin.ts';
import { settingsScreen, legalScreen as words } from '../../../copy/admin/settings.ts';
import { type LegalSlug, legal } from '../../../copy/public/legal.ts';
import { ApiError, messageOf } from '../../../models/data/api-error.ts';
import { EditConflict } from '../../../models/data/edit-conflict.ts';
import { plainText } from '../../../models/data/html-to-text.ts';
import {
  builtInText,
  filled,
  legalPlaces,
  listLegalTexts,
  partsOf,
  resetLegalText,
  saveLegalText,
  type WrittenText,
} from '../../../models/settings/legal-page.ts';
import { clients } from '../../../session/browser.ts';
import { useFacts } from '../../../session/use-facts.ts';
import { DayTime } from '../../../ui/day-time.tsx';
import { RichTextEditor } from '../../../ui/editor/rich-text-editor.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { Toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { Group } from './setting.tsx';

/** One legal page: the built-in text, or the admin's own in its place. */
export function LegalTextForm({
  slug,
  initial,
  earlier,
  onUnsaved,
}: {
  slug: LegalSlug;
  initial: WrittenText | undefined;
  /** From the history, to be looked at and saved; a null body is the built-in text. */
  earlier: { body: string | null } | null;
  onUnsaved: (is: boolean) => void;
}) {
  const { title } = legal[slug];
  const [stored, setStored] = useState(initial);
  const [body, setBody] = useState(initial?.body ?? builtInText(slug));
  const [notice, setNotice] = useState<{ kind: 'error' | 'warning'; text: string } | null>(null);
  const [empty, setEmpty] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [resetting, setResetting] = useState(false);
  const unsaved = body !== (stored?.body ?? builtInText(slug));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the answer is news
  useEffect(() => onUnsaved(unsaved), [unsaved]);
  useEffect(() => {
    if (earlier) setBody(earlier.body ?? builtInText(slug));
  }, [earlier, slug]);

  function change(html: string) {
    setBody(html);
    setEmpty(false);
    setDone(null);
  }

  /** Writes what `act` writes, unless somebody was faster. */
  async function write(act: () => Promise<WrittenText | undefined>, said: string) {
    setBusy(true);
    setNotice(null);
    try {
      const now = await act();
      setStored(now);
      setBody((typed) => (typed === body ? (now?.body ?? builtInText(slug)) : typed));
      setDone(said);
    } catch (error) {
      setNotice(await refusalOf(error));
    } finally {
      setBusy(false);
      setResetting(false);
    }
  }

  async function refusalOf(error: unknown) {
    const failed = (text: string) => ({ kind: 'error' as const, text });
    if (error instanceof ApiError && error.code === '42501') return failed(settingsScreen.notAllowed);
    if (!(error instanceof EditConflict)) {
      return failed(`${messageOf(error, settingsScreen.failedToSave)} ${settingsScreen.whatNow}`);
    }
    const latest = await listLegalTexts(clients().data()).catch(() => null);
    if (!latest) return failed(`${settingsScreen.failedToSave} ${settingsScreen.whatNow}`);
    // Nothing was changed and nobody was faster: the policies let nothing through.
    if (latest[slug]?.changed === stored?.changed) return failed(settingsScreen.notAllowed);
    setStored(latest[slug]);
    return { kind: 'warning' as const, text: words.meanwhile };
  }

  function save() {
    if (plainText(body) === '') return setEmpty(true);
    void write(() => saveLegalText(clients().data(), slug, body, stored), words.saved);
  }

  return (
    <Group title={title} see={`/${slug}`}>
      <p className="field-hint">
        {stored ? words.isOwn : words.isBuiltIn} {words.changed}:{' '}
        <DayTime at={stored?.changed ?? legal[slug].changed} />
      </p>
      <div className="legal-form" data-unsaved={unsaved || undefined}>
        <RichTextEditor
          label={`Text of ${title}`}
          hint={
            <>
              {words.intro} {words.places} {legalPlaces.map((place) => `{${place}}`).join(' ')}
            </>
          }
          value={body}
          onChange={change}
          error={empty ? words.empty : undefined}
        />
      </div>
      <Preview slug={slug} body={body} />
      {notice && <Banner kind={notice.kind}>{notice.text}</Banner>}
      <Toast message={done} stays={MESSAGE_STAYS} onGone={() => setDone(null)} />
      <div className="button-row">
        <Button size="admin" busy={busy && !resetting} busyLabel={words.saving} disabled={!unsaved} onClick={save}>
          {words.save}
        </Button>
        <Button
          variant="secondary"
          size="admin"
          disabled={!unsaved || busy}
          onClick={() => setBody(stored?.body ?? builtInText(slug))}
        >
          {words.discard}
        </Button>
        {stored && (
          <Button variant="danger" size="admin" disabled={busy} onClick={() => setResetting(true)}>
            {words.reset}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={resetting}
        title={words.resetTitle}
        confirmLabel={words.resetConfirm}
        busyLabel={words.resetConfirm}
        busy={busy}
        onCancel={() => setResetting(false)}
        onConfirm={() =>
          stored &&
          write(async () => {
            await resetLegalText(clients().data(), slug, stored);
            return undefined;
          }, words.resetDone)
        }
      >
        <p>{words.resetQuestion(title)}</p>
      </ConfirmDialog>
    </Group>
  );
}

/** The text as its page will show it: cleaned, cut into parts, with today's facts. */
function Preview({ slug, body }: { slug: LegalSlug; body: string }) {
  const [open, setOpen] = useState(false);
  const facts = useFacts();
  return (
    <details className="legal-preview" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words.preview}
        <span className="hidden-text"> ({legal[slug].title})</span>
      </summary>
      {open && (
        <div className="legal-preview-sheet">
          {partsOf(filled(body, facts)).map(({ id, title, html }) => (
            <section key={id}>
              {title && <h3>{title}</h3>}
              <RichText html={html} />
            </section>
          ))}
        </div>
      )}
    </details>
  );
}
