import { useQueryClient } from '@tanstack/react-query';
import { type InputHTMLAttributes, useId, useRef } from 'react';
import { href } from 'react-router';
import { ChooseFromLibrary } from '#features/library/choose-from-library.tsx';
import { libraryChanged } from '#features/library/library-queries.ts';
import { addToLibrary } from '#features/library/model/library.ts';
import { FileField } from '#features/media/file-field.tsx';
import { PICTURES } from '#features/media/poster-field.tsx';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useUploads } from '#features/media/use-uploads.ts';
import { SettingsSection } from '#features/settings/group.tsx';
import { LOGO_TOO_LARGE, logoKind, logoSource, MAX_LOGO_FILE_BYTES } from '#lib/brand/logo.ts';
import { tooManyLines } from '#lib/fields/check-field.ts';
import type { ErrorsByPlace, FieldSpec, Fields, PagePicture, Values } from '#lib/fields/field.ts';
import type { TextFormat } from '#lib/fields/text-formats.ts';
import { clients } from '#session/browser.ts';
import { FieldError } from '#ui/admin/field-error.tsx';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { SelectField, TextAreaField, TextField } from '#ui/form/field.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { EntryList } from './entry-list.tsx';
import '../settings/settings.css';

const INPUTS: Partial<Record<TextFormat | FieldSpec['kind'], InputHTMLAttributes<HTMLInputElement>>> = {
  email: { type: 'email' },
  phone: { type: 'tel' },
  chat: { inputMode: 'numeric' },
  web: { type: 'url' },
  colour: { type: 'color' },
  number: { inputMode: 'numeric' },
  amount: { inputMode: 'numeric' },
  day: { type: 'date' },
  time: { type: 'time' },
};

type InputProps<Draft> = { name: string; draft: Draft; errors: ErrorsByPlace; onChange: (draft: Draft) => void };

/** The inputs of a field of any kind. @param draft what the form shows of its value: `draftOf` */
export function FieldInput({ field, ...input }: InputProps<unknown> & { field: FieldSpec }) {
  const id = useId();
  const { name, draft, errors, onChange } = input;
  const { kind, label, help } = field;
  const described = { label, hint: help, name, error: errors[name] };
  const text = draft as string;
  const take = ({ target }: { target: { value: string } }) => onChange(target.value);
  switch (kind) {
    case 'record': {
      const inputs = (
        <div className={`grid top setting-fields ${field.titled ? '' : 'shrink'}`.trim()}>
          <FieldInputs {...input} fields={field.fields} draft={draft as Values} />
        </div>
      );
      if (!field.titled) return inputs;
      return (
        <SettingsSection title={label} about={help} role="group">
          {inputs}
        </SettingsSection>
      );
    }
    case 'list':
    case 'sections':
      return (
        <EntryList {...input} field={field} draft={draft as Values[]}>
          {(entry) => <FieldInputs {...entry} errors={errors} />}
        </EntryList>
      );
    case 'html':
      return <RichTextEditor {...described} id={name} value={text} onChange={onChange} />;
    case 'choice':
      return <SelectField {...described} options={field.options} value={text} onChange={take} />;
    case 'id':
      return null;
    case 'picture':
      return <PictureInput {...input} field={field} draft={draft as PagePicture} />;
    case 'logo':
      return <LogoInput {...input} field={field} draft={text} />;
    case 'switch':
      return (
        <div className="stack gap-2">
          <label className="check bold">
            <input
              type="checkbox"
              name={name}
              aria-describedby={id}
              checked={draft as boolean}
              onChange={({ target }) => onChange(target.checked)}
            />
            {label}
          </label>
          <p className="field-hint" id={id}>
            {help}
          </p>
        </div>
      );
  }
  const common = { ...described, value: text, onChange: take, 'aria-required': !('optional' in field) };
  if (!('rows' in field))
    return (
      <TextField
        {...common}
        autoComplete="off"
        maxLength={kind === 'text' ? field.limit : undefined}
        {...INPUTS[(kind === 'text' && field.format) || kind]}
      />
    );
  return (
    <TextAreaField
      {...common}
      error={errors[name] || (kind === 'text' && tooManyLines(field, text))}
      limit={kind === 'text' ? field.limit : undefined}
      className="setting-lines"
      rows={field.rows}
    />
  );
}

export const FieldInputs = ({ fields, name, draft, onChange, errors }: InputProps<Values> & { fields: Fields }) =>
  Object.entries(fields).map(([key, field]) => (
    <FieldInput
      key={key}
      field={field}
      name={name ? `${name}.${key}` : key}
      draft={draft[key]}
      errors={errors}
      onChange={(next) => onChange({ ...draft, [key]: next })}
    />
  ));

async function measured(url: string): Promise<PagePicture> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
  const { origin, pathname } = new URL(url);
  // Files of this site are stored without the origin, so that they survive a move to another domain.
  const path = origin === location.origin ? pathname : url;
  return { path, alt: '', width: image.naturalWidth || null, height: image.naturalHeight || null };
}

type PictureProps = InputProps<PagePicture> & { field: Extract<FieldSpec, { kind: 'picture' }> };

function PictureInput({ field: { label, help, optional }, name, draft: picture, errors, onChange }: PictureProps) {
  const { path, alt } = picture;
  const id = useId();
  const cache = useQueryClient();
  const latest = useRef({ alt, onChange });
  latest.current = { alt, onChange };
  const take = async (url: string, otherAlt?: string) => {
    const picture = await measured(url);
    latest.current.onChange({ ...picture, alt: otherAlt ?? latest.current.alt });
  };
  const uploads = useUploads(async ({ file, target, url }) => {
    await addToLibrary(clients().data(), target, file.name);
    await libraryChanged(cache);
    await take(url);
  });
  const error = errors[`${name}.path`];
  return (
    <fieldset className="stack gap-3 across" aria-describedby={error ? id : undefined}>
      <legend className="bold">{label}</legend>
      {help && <p className="field-hint">{help}</p>}
      <div className="library-file cluster top">
        {path && <Thumbnail beside media={{ type: 'image', url: path }} />}
        <div className="stack gap-3 basis-16">
          <div className="button-row">
            <ChooseFromLibrary
              kind="image"
              name={`${name}.path`}
              hint="A click takes the picture with its alt text."
              onChoose={(file) => take(file.url, file.alt ?? '')}
            />
            {path && optional && (
              <SmallButton onClick={() => onChange({ path: '', alt: '' })}>Remove picture</SmallButton>
            )}
          </div>
          <FieldError id={id}>{error}</FieldError>
          <FileField
            label="Or upload a picture"
            hint="PNG, JPG, GIF, WebP or AVIF up to 10 MB. It is added to the library."
            accept={PICTURES}
            onChoose={uploads.add}
          />
          <UploadList uploads={uploads} />
          {path && (
            <TextField
              label="What does it show?"
              hint="For readers who do not see it. Leave it empty for a decoration."
              name={`${name}.alt`}
              autoComplete="off"
              maxLength={500}
              value={alt}
              error={errors[`${name}.alt`]}
              onChange={({ target }) => onChange({ ...picture, alt: target.value })}
            />
          )}
        </div>
      </div>
    </fieldset>
  );
}

function LogoInput({ field: { label, help }, name, draft: logo, onChange }: InputProps<string> & { field: FieldSpec }) {
  const { busy, failure, run } = useSubmit(UNREADABLE);
  return (
    <>
      <FileField
        label={label}
        hint={help ?? ''}
        error={failure}
        name={name}
        accept=".svg,.png,image/svg+xml,image/png"
        disabled={busy}
        onChoose={([file]) => void (file && run(() => readLogo(file), onChange))}
      />
      {logo && (
        <p className="cluster">
          <img className="brand-logo" src={logoSource(logo)} alt={`${label}: ${logoKind(logo)}`} />
          <button type="button" className="field-button" onClick={() => onChange('')}>
            Remove<span className="hidden-text"> {label}</span>
          </button>
        </p>
      )}
    </>
  );
}

const UNREADABLE = 'The logo could not be read just now. Choose it again.';

async function readLogo(file: File): Promise<string> {
  if (file.size > MAX_LOGO_FILE_BYTES) throw new Error(LOGO_TOO_LARGE);
  const session = (await clients().auth.getSession()).data.session;
  const response = await fetch(href('/brand/:file', { file: 'logo' }), {
    method: 'POST',
    headers: { authorization: `Bearer ${session?.access_token}`, 'content-type': 'application/octet-stream' },
    body: file,
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as { logo?: string; problem?: string } | null;
  if (!answer?.logo) throw new Error(answer?.problem ?? UNREADABLE);
  return answer.logo;
}
