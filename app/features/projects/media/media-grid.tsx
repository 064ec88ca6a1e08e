import type { ReactNode } from 'react';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { useUndoDelete } from '#features/trash/use-undo-delete.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { IconButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { ProjectMedia } from '../model/read.ts';
import type { VersionContent } from '../model/versions/versions.ts';
import { useDeleteMedia } from '../project-queries.ts';

type MediaWordsProps = { media: Pick<ProjectMedia, 'title' | 'description' | 'type' | 'url'>; children?: ReactNode };

export const MediaWords = ({ media: { title, description, type, url }, children }: MediaWordsProps) => (
  <div className="stack gap-0 grow anywhere">
    <strong>{title || 'Untitled'}</strong>
    {description && <span>{description}</span>}
    {children}
    <a href={url} target="_blank" rel="noreferrer">
      Open {type} <Icon name="arrow-out" />
    </a>
  </div>
);

type GridProps<Item> = { media: readonly Item[]; none: string; action?: (item: Item) => ReactNode };

export const MediaGrid = <Item extends VersionContent['media'][number]>({ media, none, action }: GridProps<Item>) =>
  media.length === 0 ? (
    <p className="empty">{none}</p>
  ) : (
    <ol className="media-grid stack">
      {media.map((item) => (
        <li className="inline pad-y-2 hairline-below" key={item.id}>
          <Thumbnail beside media={item} />
          <MediaWords media={item} />
          {action?.(item)}
        </li>
      ))}
    </ol>
  );

type DeleteMediaButtonProps = { media: ProjectMedia; onClick: () => void };

export const DeleteMediaButton = ({ media: { title, type }, onClick }: DeleteMediaButtonProps) => (
  <IconButton icon="trash" danger className="rigid" label={`Delete media ${title || type}`} onClick={onClick} />
);

export function DeleteMedia({ media, onClose }: { media: ProjectMedia | null; onClose: () => void }) {
  const offerUndo = useUndoDelete();
  return (
    <DeleteDialog
      thing={media}
      title="Delete media?"
      failed="Failed to delete media"
      deletion={useDeleteMedia()}
      onClose={onClose}
      onDeleted={({ id }) => offerUndo('Media item deleted.', [{ kind: 'media', id }])}
    >
      <p>Are you sure you want to delete this media item?</p>
    </DeleteDialog>
  );
}
