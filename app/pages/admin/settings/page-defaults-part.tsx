import { useRouteLoaderData } from 'react-router';
import { settingWords } from '../../../copy/settings.ts';
import { socialDescription } from '../../../models/project.ts';
import type { loader } from '../../../root.tsx';
import { Group, LinesSettingField, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const PageDefaultsPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Title and description" see="/">
      <TextSettingField form={form} name="default_title" maxLength={80} autoComplete="off" />
      <LinesSettingField form={form} name="default_description" required rows={3} />
      <SearchPreview form={form} />
    </Group>
    <Group title="Pictures" see="/case-studies">
      <TextSettingField form={form} name="default_cover" autoComplete="off" />
      <CoverPreview address={form.fields.default_cover} />
      <LinesSettingField form={form} name="picture_hosts" rows={3} />
    </Group>
  </>
);

/** The home page as a search result. */
function SearchPreview({ form: { fields } }: { form: SettingsForm }) {
  const origin = useRouteLoaderData<typeof loader>('root')?.origin;
  return (
    <figure className="search-preview">
      <figcaption className="field-hint">As a search result</figcaption>
      <p className="search-preview-title">
        {fields.default_title} | {fields.site_name}
      </p>
      <p className="search-preview-address">{origin}</p>
      <p>{socialDescription(fields.default_description)}</p>
    </figure>
  );
}

const CoverPreview = ({ address }: { address: string }) =>
  /^(\/(?!\/)|https:\/\/)/.test(address.trim()) && (
    // Keyed, so that a picture that could not be loaded does not linger.
    <img
      className="cover-preview"
      key={address}
      src={address.trim()}
      alt={settingWords.default_cover.label}
      loading="lazy"
    />
  );
