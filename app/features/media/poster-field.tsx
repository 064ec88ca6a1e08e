import type { ReactNode } from 'react';
import { mediaWords as words } from '#lib/words/media.ts';
import { Button, SmallButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { FileField } from './file-field.tsx';
import { HiddenName } from './media-fields.tsx';
import { useAddressField } from './use-address-field.ts';

/** Naming the accepted types makes phones convert HEIC to JPEG. */
export const PICTURES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';
export const VIDEOS = 'video/mp4,video/webm';

interface PosterFieldProps {
  of: string;
  poster: string | null;
  children?: ReactNode;
  onPick: (picture: File | string) => void;
  onRemove: () => void;
}

export function PosterField({ of, poster, children, onPick, onRemove }: PosterFieldProps) {
  const address = useAddressField(onPick);

  if (poster !== null)
    return (
      <div className="poster across stack top">
        <img className="full panel" src={poster} alt="" referrerPolicy="no-referrer" />
        <div className="stack gap-2 start relative">
          <p>{words.poster}</p>
          {children}
          <SmallButton aria-label={`Remove the poster of ${of}`} onClick={onRemove}>
            Remove
          </SmallButton>
        </div>
      </div>
    );
  return (
    <div className="across stack gap-3">
      <FileField
        label={<HiddenName label={words.poster} of={of} />}
        hint="Shown before the video plays. Without a poster the site shows an icon."
        accept={PICTURES}
        onChoose={([file]) => onPick(file!)}
      />
      <div className="poster-address stack bottom gap-3">
        <TextField
          label={<HiddenName label={words.posterAddress} of={of} />}
          name="poster"
          {...address.field}
          // Leaving the field accepts the address, without a click on the button.
          onBlur={({ currentTarget, relatedTarget }) =>
            currentTarget.closest('.poster-address')?.contains(relatedTarget) || address.take()
          }
        />
        <Button variant="secondary" disabled={address.isEmpty} onClick={address.take}>
          Use it
        </Button>
      </div>
      {children}
    </div>
  );
}
