import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useRestoredInput, useStoredInput } from '#features/projects/conflict/use-unsaved.ts';
import { ApiError, messageOf } from '#lib/data/api-error.ts';
import { draftOf, typedValue } from '#lib/fields/field-draft.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { requireFields, useSubmit, WrongFields } from '#ui/form/use-submit.ts';
import { checkDraft, settingAt } from './model/form.ts';
import { HISTORY_KEY } from './model/history.ts';
import { FORBIDDEN, NotAllSaved, saveSettings } from './model/save.ts';
import { builtIn, type StoredSettings, sameSetting, valueInForce } from './model/settings.ts';
import { labelsOf, SETTING_NAMES, type SettingName, settings } from './model/table.ts';
import { settingsScreen as words } from './words.ts';

type Drafts = Partial<Record<SettingName, unknown>>;
export type SettingsForm = ReturnType<typeof useSettingsForm>;

/** @param focusField called with the name of the first field that needs attention */
export function useSettingsForm(initial: StoredSettings, focusField: (place: string) => void) {
  const { key, input } = useRestoredInput<{ stored: StoredSettings; drafts: Drafts }>('settings');
  const [stored, setStored] = useState(input?.stored ?? initial);
  const [drafts, setDrafts] = useState<Drafts>(input?.drafts ?? {});
  const [conflicts, setConflicts] = useState<readonly SettingName[]>([]);
  const { busy, failure, wrong: errors, submit, settle, reset } = useSubmit(words.failedToSave, failureMessage);
  const { say } = useStatus();
  const { revalidate } = useRevalidator();
  const cache = useQueryClient();

  const draft = (name: SettingName) => drafts[name] ?? draftOf(settings[name], valueInForce(name, stored));
  const isValue = (name: SettingName, value: unknown) =>
    sameSetting(name, typedValue(settings[name], draft(name)), value);
  const changed = SETTING_NAMES.filter((name) => !isValue(name, valueInForce(name, stored)));
  const isSaved = changed.length === 0;
  const unsaved = useMemo(() => (isSaved ? null : { stored, drafts }), [isSaved, stored, drafts]);
  useStoredInput(key, unsaved);

  function edit(name: SettingName, next: unknown) {
    setDrafts((known) => ({ ...known, [name]: next }));
    for (const place of Object.keys(errors)) if (settingAt(place) === name) settle(place);
  }

  const setValue = (name: SettingName, value: unknown) => edit(name, draftOf(settings[name], value));

  function showStored(latest: StoredSettings, keep: readonly SettingName[], sent: Drafts) {
    setStored(latest);
    setDrafts((known) => {
      const kept = SETTING_NAMES.filter((name) => name in known && (keep.includes(name) || known[name] !== sent[name]));
      return Object.fromEntries(kept.map((name) => [name, known[name]]));
    });
  }

  async function saveChanged() {
    setConflicts([]);
    try {
      const results = changed.map((name) => [name, checkDraft(name, draft(name))] as const);
      requireFields(Object.assign({}, ...results.map(([, result]) => result.errors)));
      const values = new Map(results.map(([name, { value }]) => [name, value]));
      showStored(await saveSettings(clients().data(), values, stored), [], drafts);
    } catch (error) {
      if (error instanceof WrongFields) focusField(Object.keys(error.fields)[0]!);
      if (error instanceof NotAllSaved) {
        const unsaved = changed.filter((name) => !error.saved.includes(name));
        if (error.latest) showStored(error.latest, unsaved, drafts);
        setConflicts(error.theirs);
        if (error.theirs[0]) focusField(error.theirs[0]);
      }
      throw error;
    }
  }

  const hasErrors = Object.values(errors).some(Boolean);
  return {
    stored,
    draft,
    edit,
    errors,
    changed,
    conflicts,
    busy,
    notice: hasErrors
      ? { kind: 'error' as const, text: 'Nothing was saved yet. Check the marked fields.' }
      : failure && { kind: conflicts.length > 0 ? ('warning' as const) : ('error' as const), text: failure },
    save: submit(saveChanged, () => {
      say('Saved. The site shows it from now on.');
      void cache.invalidateQueries({ queryKey: HISTORY_KEY });
      void revalidate();
    }),
    isBuiltIn: (name: SettingName) => isValue(name, builtIn(name)),
    setValue,
    revert(name: SettingName) {
      setValue(name, valueInForce(name, stored));
      setConflicts((known) => known.filter((one) => one !== name));
    },
    discard() {
      if (stored === input?.stored) setStored(initial);
      setDrafts({});
      setConflicts([]);
      reset();
    },
  };
}

function failureMessage(error: unknown, otherwise: string): string {
  if (!(error instanceof NotAllSaved)) return messageOf(error, otherwise);
  const { cause, saved, theirs } = error;
  if (theirs.length > 0)
    return `Someone else changed this while you were here: ${labelsOf(theirs)}. Nothing of yours was saved. Compare the marked settings, then save again to replace theirs.`;
  const forbidden = cause instanceof ApiError && cause.code === FORBIDDEN;
  const reason = forbidden ? words.notAllowed : `${messageOf(cause, otherwise)} ${words.whatNow}`;
  return saved.length > 0 ? `${reason} Saved already: ${labelsOf(saved)}.` : reason;
}
