import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { ApiError, messageOf } from '../../../models/data/api-error.ts';
import { EditConflict } from '../../../models/data/edit-conflict.ts';
import {
  changedIn,
  checkSetting,
  fieldOf,
  fieldsFor,
  type SettingErrors,
  type SettingsFields,
  typedValue,
} from '../../../models/settings/form.ts';
import {
  builtIn,
  listSettings,
  type SettingName,
  type StoredSettings,
  sameSetting,
  saveSetting,
  valueInForce,
} from '../../../models/settings/settings.ts';
import { clients } from '../../../session/browser.ts';

const FORBIDDEN = '42501';

interface Notice {
  kind: 'error' | 'warning';
  text: string;
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

/** The settings as they are typed, beside what is stored. @param initial what was stored when the screen opened */
export function useSettingsForm(initial: StoredSettings) {
  const [stored, setStored] = useState(initial);
  const [fields, setFields] = useState(() => fieldsFor((name) => valueInForce(name, initial)));
  const [errors, setErrors] = useState<SettingErrors>({});
  const [theirs, setTheirs] = useState<readonly SettingName[]>([]);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const changed = changedIn(fields, (name) => valueInForce(name, stored));

  function set<Name extends SettingName>(name: Name, field: SettingsFields[Name]) {
    setFields((known) => ({ ...known, [name]: field }));
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(([at]) => at.split('.')[0] !== name)));
    setDone(null);
  }

  /** What is stored takes the place of what was shown, but for what was typed since and for `mine`. */
  function show(latest: StoredSettings, mine: readonly SettingName[]) {
    setStored(latest);
    const shown = fieldsFor((name) => valueInForce(name, latest));
    setFields((now) => {
      const keep = (name: SettingName) => mine.includes(name) || now[name] !== fields[name];
      const kept = (Object.keys(now) as SettingName[]).filter(keep).map((name) => [name, now[name]]);
      return { ...shown, ...Object.fromEntries(kept) };
    });
  }

  async function save(): Promise<string | null> {
    if (busy) return null;
    setDone(null);
    setTheirs([]);
    const wrong: SettingErrors = Object.assign({}, ...changed.map((name) => checkSetting(name, fields).errors));
    setErrors(wrong);
    const [first] = Object.keys(wrong);
    if (first) {
      setNotice({ kind: 'error', text: words.checkFields });
      return first;
    }
    setNotice(null);
    setBusy(true);
    const saved: SettingName[] = [];
    try {
      const data = clients().data();
      const latest = await listSettings(data);
      const met = metAmong(changed, latest);
      if (met.length > 0) return meet(latest, met);
      for (const name of changed) {
        const { value } = checkSetting(name, fields);
        await saveSetting(data, name, value, latest[name]).catch(async (error: unknown) => {
          if (!(error instanceof EditConflict)) throw error;
          const now = await listSettings(data);
          // Nothing was changed and nobody was faster: the policies let nothing through.
          if (now[name]?.changed === latest[name]?.changed) throw new ApiError(words.notAllowed, FORBIDDEN);
          if (!sameSetting(name, value, valueInForce(name, now))) throw error;
        });
        saved.push(name);
      }
      show(await listSettings(data), []);
      setDone(words.saved);
      // The title of this very page holds the site's name.
      void revalidate();
    } catch (error) {
      return await giveUp(error, saved);
    } finally {
      setBusy(false);
    }
    return null;
  }

  const metAmong = (names: readonly SettingName[], latest: StoredSettings) =>
    names.filter(
      (name) =>
        latest[name]?.changed !== stored[name]?.changed &&
        !sameSetting(name, typedValue(name, fields), valueInForce(name, latest)),
    );

  function meet(latest: StoredSettings, met: readonly SettingName[]) {
    show(latest, changed);
    setTheirs(met);
    setNotice({ kind: 'warning', text: words.meanwhile(labels(met)) });
    return met[0] ?? null;
  }

  async function giveUp(error: unknown, saved: readonly SettingName[]) {
    const left = changed.filter((name) => !saved.includes(name));
    const latest = await listSettings(clients().data()).catch(() => null);
    if (latest && error instanceof EditConflict) return meet(latest, metAmong(left, latest));
    if (latest) show(latest, left);
    const forbidden = error instanceof ApiError && error.code === FORBIDDEN;
    const said = forbidden ? words.notAllowed : `${messageOf(error, words.failedToSave)} ${words.whatNow}`;
    setNotice({ kind: 'error', text: saved.length > 0 ? `${said} ${words.partly(labels(saved))}` : said });
    return null;
  }

  return {
    fields,
    stored,
    errors,
    /** Settings that are not saved yet. */
    changed,
    /** Settings that somebody else saved meanwhile, until they are saved again. */
    theirs,
    notice,
    done,
    busy,
    set,
    takeBuiltIn: (name: SettingName) => set(name, fieldOf(name, builtIn(name))),
    takeTheirs(name: SettingName) {
      set(name, fieldOf(name, valueInForce(name, stored)));
      setTheirs((known) => known.filter((one) => one !== name));
    },
    discard() {
      setFields(fieldsFor((name) => valueInForce(name, stored)));
      setErrors({});
      setTheirs([]);
      setNotice(null);
    },
    dismiss: () => setDone(null),
    /** Answers the first place that has to be looked at, when there is one. */
    save,
  };
}

const labels = (names: readonly SettingName[]) => names.map((name) => settingWords[name].label).join(', ');
