import { type ComponentProps, useRef, useState } from 'react';
import { editing as words } from '../../../../copy/project-editing.ts';
import type { ProjectMedia } from '../../../../models/project-record.ts';
import { nameOfMedia } from '../../../../models/version-difference.ts';
import { Button } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { SortHandle, StepButtons } from '../../../../ui/sort-controls.tsx';
import { Thumbnail } from '../thumbnail.tsx';
import { DescribeMedia } from './describe-media.tsx';

/** One media item: its handle, what it shows, its words, and what can be done with it. */
export function MediaRow({
  media,
  first,
  last,
  look,
  handle,
  onStep,
  onDelete,
}: {
  media: ProjectMedia;
  first: boolean;
  last: boolean;
  look: object;
  handle: ComponentProps<'button'>;
  /** Gets the id of the pressed button too, which is to keep the focus. */
  onStep: (by: 1 | -1, button: string) => void;
  onDelete: () => void;
}) {
  const [describing, setDescribing] = useState(false);
  const describe = useRef<HTMLButtonElement>(null);
  const name = nameOfMedia(media);
  return (
    <li className="media-row sort-row" {...look}>
      <SortHandle name={name} handle={handle} />
      <Thumbnail media={media} />
      <div className="media-words">
        {media.title ? <strong>{media.title}</strong> : <em className="media-missing">{words.noAlt}</em>}
        {media.description && <span>{media.description}</span>}
        <a href={media.url} target="_blank" rel="noreferrer">
          Open {media.type} <Icon name="arrow-out" />
        </a>
      </div>
      <div className="media-acts">
        <StepButtons id={media.id} name={name} first={first} last={last} onStep={onStep} />
        <button
          type="button"
          ref={describe}
          className="icon-button"
          aria-label={`Describe ${name}`}
          aria-expanded={describing}
          onClick={() => setDescribing(!describing)}
        >
          <Icon name="edit" />
        </button>
        <Button
          variant="quiet"
          size="admin"
          className="icon-button icon-button-danger"
          aria-label={`Delete media ${media.title || media.type}`}
          onClick={onDelete}
        >
          <Icon name="trash" />
        </Button>
      </div>
      {describing && (
        <DescribeMedia
          media={media}
          onClose={() => {
            setDescribing(false);
            describe.current?.focus();
          }}
        />
      )}
    </li>
  );
}
