import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { ChooseFromLibrary } from '#features/library/choose-from-library.tsx';
import { libraryChanged } from '#features/library/library-queries.ts';
import { addToLibrary } from '#features/library/model/library.ts';
import { FileField } from '#features/media/file-field.tsx';
import { PICTURES } from '#features/media/poster-field.tsx';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useUploads } from '#features/media/use-uploads.ts';
import type { ErrorsByPlace, PagePicture } from '#lib/fields/field.ts';
import { clients } from '#session/browser.ts';
import { SmallButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';

/** Files of this site are stored without the origin, so that they survive a move to another domain. */
function pathOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin === location.origin ? pathname : url;
}

async function measured(url: string, alt: string): Promise<PagePicture> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
  return { path: pathOf(url), alt, width: image.naturalWidth || null, height: image.naturalHeight || null };
}

export function PictureInput({
  field: { label, help, optional },
  name,
  picture,
  errors,
  onChange,
}: {
  field: { label: string; help?: string | undefined; optional?: true };
  name: string;
  picture: PagePicture;
  errors: ErrorsByPlace;
  onChange: (picture: PagePicture) => void;
}) {
  const { path, alt } = picture;
  const id = useId();
  const cache = useQueryClient();
  const latest = useRef({ alt, onChange });
  latest.current = { alt, onChange };
  const take = async (url: string, otherAlt?: string) => {
    const picture = await measured(url, '');
    latest.current.onChange({ ...picture, alt: otherAlt ?? latest.current.alt });
  };
  const uploads = useUploads(async ({ file, target, url }) => {
    await addToLibrary(clients().data(), target, file.name);
    await libraryChanged(cache);
    await take(url);
  });
  const error = errors[`${name}.path`];
  return (
    <fieldset className="stack gap-3 across" ref={keepFocus} aria-describedby={error ? id : undefined}>
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
          {error && (
            <p className="field-error" role="alert" id={id}>
              {error}
            </p>
          )}
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
