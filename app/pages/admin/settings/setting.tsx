import type { ComponentType } from 'react';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { settingInWords } from '../../../models/settings/history.ts';
import { builtIn, parseSetting, valueInForce } from '../../../models/settings/settings.ts';
import { type SettingName, settings } from '../../../models/settings/table.ts';
import { CoverPreview, MasterclassPreview, PagePreviews } from './previews.tsx';
import { SettingInput } from './setting-input.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const PREVIEWS: Partial<Record<SettingName, ComponentType<{ form: SettingsForm }>>> = {
  default_description: PagePreviews,
  default_cover: CoverPreview,
  masterclass: MasterclassPreview,
};

export function Setting({ form, name, hidden }: { form: SettingsForm; name: SettingName; hidden: boolean }) {
  const { label } = settings[name];
  const stored = form.stored[name];
  const Preview = PREVIEWS[name];
  return (
    <div className="setting" data-unsaved={form.changed.includes(name) || undefined} hidden={hidden}>
      <SettingInput
        field={settings[name]}
        name={name}
        draft={form.draft(name)}
        errors={form.errors}
        onChange={(draft) => form.edit(name, draft)}
      />
      {Preview && <Preview form={form} />}
      {stored && !parseSetting(name, stored.value).success && <p className="setting-foot">{words.doesNotFit}</p>}
      {form.conflicts.includes(name) && (
        <p className="setting-foot setting-theirs">
          <span>
            {words.theirs} <strong>{settingInWords(name, valueInForce(name, form.stored))}</strong>
          </span>
          <FootButton onClick={() => form.revert(name)} label={words.useTheirs} of={label} />
        </p>
      )}
      {!form.isBuiltIn(name) && (
        <p className="setting-foot">
          <span>
            {words.builtIn} {settingInWords(name, builtIn(name))}
          </span>
          <FootButton onClick={() => form.setValue(name, builtIn(name))} label={words.backToBuiltIn} of={label} />
        </p>
      )}
    </div>
  );
}

const FootButton = ({ label, of, onClick }: { label: string; of: string; onClick: () => void }) => (
  <button type="button" className="setting-button" onClick={onClick}>
    {label}
    <span className="hidden-text"> ({of})</span>
  </button>
);
