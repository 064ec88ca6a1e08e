import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SortableList } from '#ui/form/sort-controls.tsx';
import { useSorting } from '#ui/form/use-sorting.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import { inOrderOf } from '../model/media.ts';
import type { ProjectMedia } from '../model/read.ts';
import { nameOfMedia } from '../model/versions/version-difference.ts';
import type { Parts } from '../planned/use-parts.ts';
import { editing as words } from '../words.ts';
import { AddMedia } from './add-media.tsx';
import { DeleteMedia } from './delete-media.tsx';
import { MediaRow } from './media-row.tsx';
import '../projects.css';

export function MediaEditor({ id, media: stored }: { id: string; media: Parts['media'] }) {
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  const { say, complain, report } = useStatus();
  const saving = useMutation({
    mutationFn: stored.reorder,
    onError: (error) => complain(messageOf(error, 'The new order was not saved. The list shows the previous order.')),
  });
  const media: ProjectMedia[] = saving.isPending ? inOrderOf(stored.list, saving.variables) : stored.list;
  const chooseCover = (item: ProjectMedia | null) =>
    void report(stored.chooseCover(item), 'The cover was not changed.', () =>
      say(item ? `${nameOfMedia(item)} is the cover.` : 'The first picture is the cover.'),
    );
  const section = useRef<HTMLElement>(null);
  const pictures = media.filter(({ type }) => type === 'image');
  const cover = pictures.find(({ is_cover }) => is_cover) ?? pictures[0];
  const sorting = useSorting(media, nameOfMedia, saving.mutate);

  async function remove(item: ProjectMedia) {
    if (!stored.remove) return setLeaving(item);
    await report(stored.remove(item), words.failedToSave, (undo) =>
      say(`${nameOfMedia(item)} is removed from the list saved for later.`, { undo }),
    );
    restoreFocus(section.current);
  }

  return (
    <TitledSection ref={section} titleId="media" title={words.media}>
      <p className="field-hint below-4">{stored.hint}</p>
      {media.length === 0 ? (
        <p className="empty">{words.noMedia}</p>
      ) : (
        <SortableList sorting={sorting}>
          {(item) => (
            <MediaRow
              key={item.id}
              media={item}
              sorting={sorting}
              cover={pictures.length > 1 && item.type === 'image' ? item === cover : null}
              onCover={() => chooseCover(item === cover && item.is_cover ? null : item)}
              onDescribe={stored.describe}
              onDelete={() => void remove(item)}
            />
          )}
        </SortableList>
      )}
      <AddMedia id={id} media={stored} />
      <DeleteMedia media={leaving} onClose={() => setLeaving(null)} />
    </TitledSection>
  );
}
