import { useState } from 'react';
import { SortHint } from '#ui/form/sort-controls.tsx';
import { useSorting } from '#ui/form/use-sorting.ts';
import type { ProjectInFull, ProjectMedia } from '../model/read.ts';
import { nameOfMedia } from '../model/versions/version-difference.ts';
import { editing as words } from '../words.ts';
import { AddMedia } from './add-media.tsx';
import { DeleteMedia } from './delete-media.tsx';
import './media.css';
import './media-editor.css';
import { MediaRow } from './media-row.tsx';
import { useChooseCover } from './use-choose-cover.ts';
import { useMediaOrder } from './use-order.ts';

export function MediaEditor({ project, onBusy }: { project: ProjectInFull; onBusy: (busy: boolean) => void }) {
  const { media, save } = useMediaOrder(project);
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  const choose = useChooseCover(project.id);
  const pictures = media.filter(({ type }) => type === 'image');
  const cover = pictures.find(({ is_cover }) => is_cover) ?? pictures[0];
  const known = new Map(media.map((item) => [item.id, item]));
  const ids = media.map(({ id }) => id);
  const sorting = useSorting(ids, (id) => nameOfMedia(known.get(id)!), save);
  const shown = sorting.order.flatMap((id) => known.get(id) ?? []);

  return (
    <section aria-labelledby="media">
      <h2 className="screen-section" id="media">
        {words.media}
      </h2>
      <p className="field-hint">{words.savedAtOnce}</p>
      {media.length === 0 ? (
        <p className="empty">{words.noMedia}</p>
      ) : (
        <>
          <SortHint />
          <ol className="media-rows" ref={sorting.list}>
            {shown.map((item, place) => (
              <MediaRow
                key={item.id}
                media={item}
                first={place === 0}
                last={place === shown.length - 1}
                look={sorting.look(item.id)}
                handle={sorting.handle(item.id)}
                onStep={(by, button) => sorting.step(item.id, by, button)}
                cover={pictures.length > 1 && item.type === 'image' ? item === cover : null}
                onCover={() => choose(item === cover && item.is_cover ? null : item)}
                onDelete={() => setLeaving(item)}
              />
            ))}
          </ol>
        </>
      )}
      <p className="hidden-text" aria-live="assertive">
        {sorting.said}
      </p>
      <AddMedia project={project} onBusy={onBusy} />
      <DeleteMedia media={leaving} onClose={() => setLeaving(null)} />
    </section>
  );
}
