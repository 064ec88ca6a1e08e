import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { type LegalSlug, legal } from '#features/pages/words/legal.ts';
import { useRestoredInput, useStoredInput } from '#features/projects/conflict/use-unsaved.ts';
import { ApiError, EditConflict, messageOf } from '#lib/data/api-error.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { clients } from '#session/browser.ts';
import { onceFilled, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { RichText } from '#ui/rich-text.tsx';
import { DayTime } from '#ui/time.tsx';
import { SettingsSection } from './group.tsx';
import { type EarlierValue, HISTORY_KEY } from './model/history.ts';
import {
  builtInText,
  fillPlaceholders,
  legalPlaces,
  listLegalTexts,
  partsOf,
  resetLegalText,
  saveLegalText,
  type WrittenText,
} from './model/legal-page.ts';
import { FORBIDDEN } from './model/save.ts';
import type { SetUnsaved } from './settings.tsx';
import { settingsScreen } from './words.ts';

const SLUGS = Object.keys(legal) as LegalSlug[];
const PLACES = legalPlaces.map((place) => `{${place}}`).join(' ');
const HINT = `The table of contents lists headings of the first two levels. These are filled in from the settings wherever you write them: ${PLACES}`;

type LegalTextsProps = { earlier: Extract<EarlierValue, { subject: 'page' }> | null; onUnsaved: SetUnsaved };

export function LegalTexts(props: LegalTextsProps) {
  const texts = useRead(['legal-texts'], listLegalTexts, onceFilled);
  return (
    <Loaded query={texts} loading={settingsScreen.loading} failed={settingsScreen.failedToLoad}>
      {(all) => SLUGS.map((slug) => <LegalTextForm key={slug} slug={slug} initial={all[slug]} {...props} />)}
    </Loaded>
  );
}

type LegalTextFormProps = LegalTextsProps & { slug: LegalSlug; initial: WrittenText | undefined };

function LegalTextForm({ slug, initial, earlier, onUnsaved }: LegalTextFormProps) {
  const { title } = legal[slug];
  const { key, input } = useRestoredInput<{ stored?: WrittenText; body: string }>(slug);
  const [stored, setStored] = useState(input ? input.stored : initial);
  const [body, setBody] = useState(input?.body ?? initial?.body ?? builtInText(slug));
  const { busy, failure, error, wrong, run, settle, reset } = useSubmit(settingsScreen.failedToSave, inWords);
  const { say } = useStatus();
  const cache = useQueryClient();
  const [resetting, setResetting] = useState(false);
  const isSaving = busy && !resetting;
  const unsaved = body !== (stored?.body ?? builtInText(slug));
  useEffect(() => onUnsaved(`legal/${slug}`, unsaved), [onUnsaved, slug, unsaved]);
  const unsavedInput = useMemo(() => (unsaved ? { stored, body } : null), [unsaved, stored, body]);
  useStoredInput(key, unsavedInput);
  useEffect(() => {
    if (earlier?.name === slug) setBody(earlier.body ?? builtInText(slug));
  }, [earlier, slug]);

  function change(html: string) {
    setBody(html);
    settle('body');
  }

  const runSave = (action: () => Promise<WrittenText | undefined>, message: string) =>
    run(async () => {
      try {
        const latest = await action();
        setStored(latest);
        setBody((typed) => (typed === body ? (latest?.body ?? builtInText(slug)) : typed));
        say(message);
        void cache.invalidateQueries({ queryKey: HISTORY_KEY });
      } catch (error) {
        throw error instanceof EditConflict ? await conflict(error) : error;
      } finally {
        setResetting(false);
      }
    });

  function discard() {
    const latest = input && stored === input.stored ? initial : stored;
    setStored(latest);
    setBody(latest?.body ?? builtInText(slug));
    reset();
  }

  async function conflict(error: EditConflict): Promise<Error> {
    const latest = await listLegalTexts(clients().data()).catch(() => null);
    if (!latest) return new ApiError('');
    // The row is unchanged, so the policies denied the write.
    if (latest[slug]?.changed === stored?.changed) return new ApiError('', FORBIDDEN);
    setStored(latest[slug]);
    return error;
  }

  const resetText = (known: WrittenText) => resetLegalText(clients().data(), slug, known).then(() => undefined);

  const save = () =>
    runSave(async () => {
      requireFields({ body: plainText(body) === '' && 'Please write something here, or use the built-in text again.' });
      return saveLegalText(clients().data(), slug, body, stored);
    }, 'Saved, with today as the day of its last change.');

  return (
    <SettingsSection title={title} see={href(`/${slug}`)}>
      <p className="field-hint">
        {stored ? 'Using your own text.' : 'Using the built-in text.'} Last changed:{' '}
        <DayTime at={stored?.changed ?? legal[slug].changed} />
      </p>
      <div className="legal-form" data-unsaved={unsaved || undefined}>
        <RichTextEditor label={`Text of ${title}`} hint={HINT} value={body} onChange={change} error={wrong['body']} />
      </div>
      <Preview slug={slug} body={body} />
      {failure && <Banner kind={error instanceof EditConflict ? 'warning' : 'error'}>{failure}</Banner>}
      <div className="button-row">
        <SmallButton variant="primary" busy={isSaving} busyLabel="Saving..." disabled={!unsaved} onClick={save}>
          Save text
        </SmallButton>
        <SmallButton disabled={!unsaved || busy} onClick={discard}>
          Discard changes
        </SmallButton>
        {stored && (
          <SmallButton variant="danger" disabled={busy} onClick={() => setResetting(true)}>
            Use the built-in text again
          </SmallButton>
        )}
      </div>
      <ConfirmDialog
        open={resetting}
        title="Use the built-in text again?"
        confirmLabel="Delete my text"
        busyLabel="Delete my text"
        busy={busy}
        onCancel={() => setResetting(false)}
        onConfirm={() => stored && runSave(() => resetText(stored), 'Using the built-in text again.')}
      >
        <p>The site stops showing your own text of “{title}”. The history keeps it, so you can restore it.</p>
      </ConfirmDialog>
    </SettingsSection>
  );
}

function inWords(error: unknown, otherwise: string): string {
  if (error instanceof EditConflict)
    return 'Someone else changed this text while you were here. Nothing of yours was saved. Compare it with the page, then save again to replace theirs.';
  if (error instanceof ApiError && error.code === FORBIDDEN) return settingsScreen.notAllowed;
  return `${messageOf(error, otherwise)} ${settingsScreen.whatNow}`;
}

function Preview({ slug, body }: { slug: LegalSlug; body: string }) {
  const [open, setOpen] = useState(false);
  const facts = useFacts();
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="touch semibold underlined">
        Preview
        <span className="hidden-text"> ({legal[slug].title})</span>
      </summary>
      {open && (
        <div className="stack gap-5 framed pad-5">
          {partsOf(fillPlaceholders(body, facts)).map(({ id, title, html }) => (
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
