import type { ComponentType } from 'react';
import { href, useRouteLoaderData } from 'react-router';
import { FieldInput } from '#features/fields/field-input.tsx';
import { socialDescription } from '#features/projects/model/labels.ts';
import { type BrandColours, brandStyle } from '#lib/brand/colours.ts';
import { logoSource } from '#lib/brand/logo.ts';
import { BrandMark } from '#ui/brand-mark.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useDebounced } from '#ui/form/use-debounced.ts';
import type { loader } from '../../root.tsx';
import { checkDraft, masterclassPreview } from './model/form.ts';
import { settingInWords } from './model/history.ts';
import { builtIn, parseSetting, valueInForce } from './model/settings.ts';
import { type SettingName, settings } from './model/table.ts';
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
  const restoreBuiltIn = () => form.setValue(name, builtIn(name));
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
          <FootButton onClick={restoreBuiltIn} label="Back to the built-in value" of={label} />
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

// In ms; a delay prevents a request to another site with every keystroke.
const PAUSE = 800;

function PagePreviews({ form: { draft, stored } }: { form: SettingsForm }) {
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? '';
  const title = `${draft('default_title')} | ${draft('site_name')}`;
  const description = socialDescription(String(draft('default_description')));
  return (
    <div className="grid top setting-fields shrink">
      <figure className="page-preview panel anywhere pad-4">
        <figcaption className="field-hint">A page without a title of its own, as a search result</figcaption>
        <p className="search-preview-title gap-above-small">{title}</p>
        <p className="search-preview-address">{origin}</p>
        <p>{description}</p>
      </figure>
      <figure className="page-preview panel anywhere pad-4">
        <figcaption className="field-hint">
          The same page as a shared link; the picture is redrawn when you save
        </figcaption>
        <img
          key={`${stored.site_name?.changed} ${stored.city?.changed}`}
          src={href('/social/:file', { file: 'home.jpg' })}
          alt=""
          width={1200}
          height={630}
          loading="lazy"
        />
        <strong>{title}</strong>
        <p>{description}</p>
        <p className="field-hint">{URL.parse(origin)?.host}</p>
      </figure>
    </div>
  );
}

function BrandPreview({ form: { draft } }: { form: SettingsForm }) {
  const { hand, machine, paper } = draft('brand_colours') as Record<keyof BrandColours, string>;
  const problems = Object.values(checkDraft('brand_colours', { hand, machine, paper }).errors);
  const [name, logo, logoDark] = (['site_name', 'logo', 'logo_dark'] as const).map((one) => String(draft(one)));
  if (problems.length > 0) return <Banner kind="warning" quiet>{`${problems.join('. ')}.`}</Banner>;
  const source = (theme: string) => (theme === 'dark' && logoDark) || logo;
  return (
    <div className="grid top setting-fields shrink above-5">
      {(['light', 'dark'] as const).map((theme) => (
        <figure
          key={theme}
          className="framed paper ink stack gap-3 pad-4"
          style={{ ...brandStyle({ hand, machine, paper }), colorScheme: theme }}
        >
          <figcaption className="quiet">{theme === 'light' ? 'Light theme' : 'Dark theme'}</figcaption>
          {source(theme) ? (
            <img className="brand-logo" src={logoSource(source(theme)!)} alt={name} />
          ) : (
            <BrandMark name={name!} logo="" logoDark="" />
          )}
          <p>
            Words on paper, and <span className="brand-preview-link">a link</span>
          </p>
          <p className="cluster gap-0">
            <span className="on-hand pad-4">By hand</span>
            <span className="on-overprint pad-4">Together</span>
            <span className="on-machine pad-4">By machine</span>
          </p>
        </figure>
      ))}
    </div>
  );
}

function CoverPreview({ form }: { form: SettingsForm }) {
  const cover = checkDraft('default_cover', form.draft('default_cover')).value as string | undefined;
  const shown = useDebounced(cover ?? '', PAUSE);
  return (
    shown && (
      // The key resets the error state of another picture.
      <img className="cover-preview panel" key={shown} src={shown} alt={settings.default_cover.label} loading="lazy" />
    )
  );
}

function MasterclassPreview({ form }: { form: SettingsForm }) {
  const preview = masterclassPreview(form.draft('masterclass'), new Date());
  return (
    <>
      <p className="stack gap-0 masterclass-preview edge-machine pad-4 panel" aria-live="polite">
        {preview?.sentence}
        {preview && <span>{preview.offer}</span>}
      </p>
      {preview && !preview.asWritten && (
        <Banner kind="warning">
          The built-in programme is written for 2:30 PM to 7:00 PM. Change it under Pages, Masterclass.
        </Banner>
      )}
      {preview?.over && (
        <Banner kind="warning">
          These dates are past: the page says that this masterclass is over, and sells nothing.
        </Banner>
      )}
    </>
  );
}
