import { useState } from 'react';
import { href, useRouteLoaderData } from 'react-router';
import { settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { socialDescription } from '../../../models/project/labels.ts';
import { checkSetting } from '../../../models/settings/form.ts';
import { builtIn, valueInForce } from '../../../models/settings/settings.ts';
import type { loader } from '../../../root.tsx';
import { textIn } from '../../../ui/form/use-submit.ts';
import { useTyped } from '../../../ui/form/use-typed.ts';
import { Group, LinesSettingField, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const PageDefaultsPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Title and description" see={href('/')}>
      <TextSettingField form={form} name="default_title" />
      <LinesSettingField form={form} name="default_description" required rows={3} />
      <SearchPreview form={form} />
      <LinkPreview form={form} />
    </Group>
    <Group title="Pictures" see={href('/case-studies')}>
      <Cover form={form} />
      <LinesSettingField form={form} name="picture_hosts" rows={3} />
    </Group>
  </>
);

const useDefaults = (form: SettingsForm) =>
  useTyped(form.element, (typed) => ({
    title: `${textIn(typed, 'default_title')} | ${textIn(typed, 'site_name')}`,
    description: socialDescription(textIn(typed, 'default_description')),
  }));

function SearchPreview({ form }: { form: SettingsForm }) {
  const defaults = useDefaults(form);
  const origin = useRouteLoaderData<typeof loader>('root')?.origin;
  return (
    <figure className="search-preview">
      <figcaption className="field-hint">{words.searchResult}</figcaption>
      <p className="search-preview-title">{defaults?.title}</p>
      <p className="search-preview-address">{origin}</p>
      <p>{defaults?.description}</p>
    </figure>
  );
}

/** The preview image contains the site's name, so it is the stored one. */
function LinkPreview({ form }: { form: SettingsForm }) {
  const { stored } = form;
  const defaults = useDefaults(form);
  const site = useRouteLoaderData<typeof loader>('root');
  return (
    <figure className="link-preview">
      <figcaption className="field-hint">{words.linkPreview}</figcaption>
      <img
        key={`${stored.site_name?.changed} ${stored.city?.changed}`}
        src={href('/social/:file', { file: 'home.jpg' })}
        alt=""
        width={1200}
        height={630}
        loading="lazy"
      />
      <p className="link-preview-title">{defaults?.title}</p>
      <p>{defaults?.description}</p>
      <p className="field-hint">{site ? new URL(site.origin).host : ''}</p>
    </figure>
  );
}

/** Only shown for a complete address, so that no other site gets a request per keystroke. */
function Cover({ form }: { form: SettingsForm }) {
  const cover = useTyped(form.element, (typed) => checkSetting('default_cover', typed).value) as string | undefined;
  const [left, setLeft] = useState(cover);
  const complete = [left, valueInForce('default_cover', form.stored), builtIn('default_cover')].includes(cover);
  return (
    <>
      <TextSettingField form={form} name="default_cover" onBlur={() => setLeft(cover)} />
      {cover && complete && (
        // Keyed, so that a failed picture does not remain.
        <img className="cover-preview" key={cover} src={cover} alt={settingWords.default_cover.label} loading="lazy" />
      )}
    </>
  );
}
