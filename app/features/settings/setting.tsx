import type { ComponentType } from 'react';
import { FieldInput } from '#features/fields/field-input.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { settingInWords } from './model/history.ts';
import { builtIn, parseSetting, valueInForce } from './model/settings.ts';
import { type SettingName, settings } from './model/table.ts';
import { BrandPreview, CoverPreview, MasterclassPreview, PagePreviews } from './previews.tsx';
import type { SettingsForm } from './use-settings-form.ts';
import './settings.css';

const PREVIEWS: Partial<Record<SettingName, ComponentType<{ form: SettingsForm }>>> = {
  default_description: PagePreviews,
  default_cover: CoverPreview,
  masterclass: MasterclassPreview,
  brand_colours: BrandPreview,
};

export function Setting({ form, name, hidden }: { form: SettingsForm; name: SettingName; hidden: boolean }) {
  const { label } = settings[name];
  const stored = form.stored[name];
  const Preview = PREVIEWS[name];
  return (
    <div className="stack gap-2 setting" data-unsaved={form.changed.includes(name) || undefined} hidden={hidden}>
      <FieldInput
        field={settings[name]}
        name={name}
        draft={form.draft(name)}
        errors={form.errors}
        onChange={(draft) => form.edit(name, draft)}
      />
      {Preview && <Preview form={form} />}
      {stored && !parseSetting(name, stored.value).success && (
        <p className="field-hint">The stored value isn’t valid, so the site shows the built-in value.</p>
      )}
      {form.conflicts.includes(name) && (
        <Banner kind="warning" quiet>
          Saved by someone else: {settingInWords(name, valueInForce(name, form.stored))}{' '}
          <FootButton onClick={() => form.revert(name)} label="Use theirs" of={label} />
        </Banner>
      )}
      {!form.isBuiltIn(name) && (
        <p className="field-hint anywhere">
          Built in: {settingInWords(name, builtIn(name))}{' '}
          <FootButton
            onClick={() => form.setValue(name, builtIn(name))}
            label="Back to the built-in value"
            of={label}
          />
        </p>
      )}
    </div>
  );
}

const FootButton = ({ label, of, onClick }: { label: string; of: string; onClick: () => void }) => (
  <button type="button" className="field-button" onClick={onClick}>
    {label}
    <span className="hidden-text"> ({of})</span>
  </button>
);
