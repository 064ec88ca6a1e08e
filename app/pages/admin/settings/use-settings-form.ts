import { type FormEvent, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRevalidator } from 'react-router';
import { settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { ApiError, messageOf } from '../../../models/data/api-error.ts';
import {
  changedIn,
  checkSetting,
  inputsOf,
  isList,
  LIST_SETTINGS,
  type ListSetting,
  SETTING_NAMES,
  type SettingErrors,
  settingAt,
  typedValue,
} from '../../../models/settings/form.ts';
import { FORBIDDEN, NotAllSaved, saveSettings } from '../../../models/settings/save.ts';
import {
  builtIn,
  type SettingName,
  type StoredSettings,
  sameSetting,
  valueInForce,
} from '../../../models/settings/settings.ts';
import { clients } from '../../../session/browser.ts';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { requireFields, useSubmit, WrongFields } from '../../../ui/form/use-submit.ts';
import { typeInto, useTyped } from '../../../ui/form/use-typed.ts';

export type SettingsForm = ReturnType<typeof useSettingsForm>;

const keysOf = (value: unknown) => (value as unknown[]).map((_, key) => key);
const keysOfLists = (stored: StoredSettings) =>
  Object.fromEntries(LIST_SETTINGS.map((name) => [name, keysOf(valueInForce(name, stored))])) as Record<
    ListSetting,
    number[]
  >;
const isMet = (error: unknown) => error instanceof NotAllSaved && error.theirs.length > 0;
const labels = (names: readonly SettingName[]) => names.map((name) => settingWords[name].label).join(', ');

export function useSettingsForm(initial: StoredSettings) {
  const [element, setElement] = useState<HTMLFormElement | null>(null);
  const [stored, setStored] = useState(initial);
  const [entries, setEntries] = useState(() => keysOfLists(initial));
  const [theirs, setTheirs] = useState<readonly SettingName[]>([]);
  const [place, lookAt] = useState<string | null>(null);
  const { busy, failure, error, wrong, submit, settle, reset } = useSubmit(words.failedToSave, inWords);
  const { say } = useStatus();
  const { revalidate } = useRevalidator();
  const changed = useTyped(element, (typed) => changedIn(typed, stored)) ?? [];

  // Filled before the first paint.
  const attach = useCallback(
    (form: HTMLFormElement | null) => {
      for (const name of form ? SETTING_NAMES : []) typeInto(form!, inputsOf(name, valueInForce(name, initial)));
      setElement(form);
    },
    [initial],
  );

  function fill(name: SettingName, value: unknown) {
    if (isList(name) && keysOf(value).length !== entries[name].length)
      flushSync(() => setEntries((known) => ({ ...known, [name]: keysOf(value) })));
    typeInto(element!, inputsOf(name, value));
    settleSetting(name);
  }

  function settleSetting(name: SettingName) {
    for (const at of Object.keys(wrong)) if (settingAt(at) === name) settle(at);
  }

  const save = submit(
    async (typed) => {
      setTheirs([]);
      const checked = changed.map((name) => [name, checkSetting(name, typed)] as const);
      try {
        requireFields(Object.assign({}, ...checked.map(([, { errors }]) => errors)) as SettingErrors);
        const values = new Map(checked.map(([name, { value }]) => [name, value]));
        show(await saveSettings(clients().data(), values, stored), [], typed);
      } catch (error) {
        if (error instanceof WrongFields) lookAt(Object.keys(error.fields)[0]!);
        if (error instanceof NotAllSaved) {
          const mine = error.theirs.length > 0 ? changed : changed.filter((name) => !error.saved.includes(name));
          if (error.latest) show(error.latest, mine, typed);
          setTheirs(error.theirs);
          lookAt(error.theirs[0] ?? null);
        }
        throw error;
      }
    },
    () => {
      say(words.saved);
      // This page's title contains the site's name.
      void revalidate();
    },
  );

  function show(latest: StoredSettings, mine: readonly SettingName[], sent: FormData) {
    setStored(latest);
    const now = new FormData(element!);
    for (const name of SETTING_NAMES)
      if (!mine.includes(name) && sameSetting(name, typedValue(name, now), typedValue(name, sent)))
        fill(name, valueInForce(name, latest));
  }

  return {
    attach,
    element,
    stored,
    /** A key for each entry of the settings that are lists. */
    entries,
    setEntries(name: ListSetting, next: number[]) {
      // Synchronously, so that the new field can take the next keystroke.
      flushSync(() => setEntries((known) => ({ ...known, [name]: next })));
      typeInto(element!, {});
      settleSetting(name);
    },
    errors: wrong,
    changed,
    theirs,
    place,
    lookAt,
    notice:
      Object.keys(wrong).length > 0
        ? { kind: 'error' as const, text: words.checkFields }
        : failure && { kind: isMet(error) ? ('warning' as const) : ('error' as const), text: failure },
    busy,
    save,
    settle: ({ target }: FormEvent<HTMLFormElement>) => settleSetting(settingAt((target as HTMLInputElement).name)),
    fill,
    takeBuiltIn: (name: SettingName) => fill(name, builtIn(name)),
    takeTheirs(name: SettingName) {
      fill(name, valueInForce(name, stored));
      setTheirs((known) => known.filter((one) => one !== name));
    },
    discard() {
      for (const name of SETTING_NAMES) fill(name, valueInForce(name, stored));
      setTheirs([]);
      reset();
    },
  };
}

function inWords(error: unknown, otherwise: string): string {
  if (!(error instanceof NotAllSaved)) return messageOf(error, otherwise);
  const { cause, saved, theirs } = error;
  if (theirs.length > 0) return words.meanwhile(labels(theirs));
  const forbidden = cause instanceof ApiError && cause.code === FORBIDDEN;
  const said = forbidden ? words.notAllowed : `${messageOf(cause, otherwise)} ${words.whatNow}`;
  return saved.length > 0 ? `${said} ${words.partly(labels(saved))}` : said;
}
