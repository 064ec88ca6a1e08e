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
import { useStatus } from '../../../ui/feedback/status.tsx';
import { requireFields, useSubmit } from '../../../ui/form/use-submit.ts';

const FORBIDDEN = '42501';

/** Why not everything was saved, and the first place to look at. */
class Refusal extends Error {
  readonly kind: 'error' | 'warning';
  readonly place: string | null;

  constructor(kind: 'error' | 'warning', message: string, place: string | null = null) {
    super(message);
    this.kind = kind;
    this.place = place;
  }
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

/** The settings as they are typed, beside what is stored. @param initial what was stored when the screen opened */
export function useSettingsForm(initial: StoredSettings) {
  const [stored, setStored] = useState(initial);
  const [fields, setFields] = useState(() => fieldsFor((name) => valueInForce(name, initial)));
  const [theirs, setTheirs] = useState<readonly SettingName[]>([]);
  const { busy, failure, error, wrong, run, settle, reset } = useSubmit(words.failedToSave);
  const { say } = useStatus();
  const { revalidate } = useRevalidator();
  const changed = changedIn(fields, (name) => valueInForce(name, stored));

  function set<Name extends SettingName>(name: Name, field: SettingsFields[Name]) {
    setFields((known) => ({ ...known, [name]: field }));
    for (const place of Object.keys(wrong)) if (place.split('.')[0] === name) settle(place);
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

  /** Answers the first place that has to be looked at, when there is one. */
  async function save(): Promise<string | null> {
    let place: string | null = null;
    await run(async () => {
      setTheirs([]);
      const errors: SettingErrors = Object.assign({}, ...changed.map((name) => checkSetting(name, fields).errors));
      place = Object.keys(errors)[0] ?? null;
      requireFields(errors);
      await send().catch((refusal: Refusal) => {
        place = refusal.place;
        throw refusal;
      });
    });
    return place;
  }

  async function send(): Promise<void> {
    const saved: SettingName[] = [];
    try {
      const data = clients().data();
      const latest = await listSettings(data);
      const met = metAmong(changed, latest);
      if (met.length > 0) throw meet(latest, met);
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
      say(words.saved);
      // The title of this very page holds the site's name.
      void revalidate();
    } catch (error) {
      throw error instanceof Refusal ? error : await giveUp(error, saved);
    }
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
    return new Refusal('warning', words.meanwhile(labels(met)), met[0]);
  }

  async function giveUp(error: unknown, saved: readonly SettingName[]) {
    const left = changed.filter((name) => !saved.includes(name));
    const latest = await listSettings(clients().data()).catch(() => null);
    if (latest && error instanceof EditConflict) return meet(latest, metAmong(left, latest));
    if (latest) show(latest, left);
    const forbidden = error instanceof ApiError && error.code === FORBIDDEN;
    const said = forbidden ? words.notAllowed : `${messageOf(error, words.failedToSave)} ${words.whatNow}`;
    return new Refusal('error', saved.length > 0 ? `${said} ${words.partly(labels(saved))}` : said);
  }

  const notice =
    Object.keys(wrong).length > 0
      ? { kind: 'error' as const, text: words.checkFields }
      : failure && { kind: error instanceof Refusal ? error.kind : ('error' as const), text: failure };

  return {
    fields,
    stored,
    errors: wrong,
    /** Settings that are not saved yet. */
    changed,
    /** Settings that somebody else saved meanwhile, until they are saved again. */
    theirs,
    notice,
    busy,
    set,
    takeBuiltIn: (name: SettingName) => set(name, fieldOf(name, builtIn(name))),
    takeTheirs(name: SettingName) {
      set(name, fieldOf(name, valueInForce(name, stored)));
      setTheirs((known) => known.filter((one) => one !== name));
    },
    discard() {
      setFields(fieldsFor((name) => valueInForce(name, stored)));
      setTheirs([]);
      reset();
    },
    save,
  };
}

const labels = (names: readonly SettingName[]) => names.map((name) => settingWords[name].label).join(', ');
