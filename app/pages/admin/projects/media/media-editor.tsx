import { useLayoutEffect, useRef, useState } from 'react';
import { editing as words } from '../../../../copy/project-editing.ts';
import type { ProjectInFull, ProjectMedia } from '../../../../models/project-record.ts';
import { nameOfMedia } from '../../../../models/version-difference.ts';
import { AddMedia } from './add-media.tsx';
import { DeleteMedia } from './delete-media.tsx';
import './media.css';
import './media-editor.css';
import { MediaRow } from './media-row.tsx';
import { useOrder } from './use-order.ts';
import { useSorting } from './use-sorting.ts';

/** The media of a project: sorted, described, added and deleted. Everything is saved at once. */
export function MediaEditor({ project, onBusy }: { project: ProjectInFull; onBusy: (busy: boolean) => void }) {
  const { media, save } = useOrder(project);
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  const known = new Map(media.map((item) => [item.id, item]));
  const ids = media.map(({ id }) => id);
  const sorting = useSorting(ids, (id) => nameOfMedia(known.get(id)!), save);
  const pressed = useRef<string | null>(null);
  const shown = sorting.order.flatMap((id) => known.get(id) ?? []);

  // A row that is put elsewhere in the document loses the focus.
  const order = ids.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move by a button
  useLayoutEffect(() => {
    if (pressed.current) document.getElementById(pressed.current)?.focus();
    pressed.current = null;
  }, [order]);

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
          <p className="hidden-text" id="grab-hint">
            {words.grabHint}
          </p>
          <ol className="media-rows" ref={sorting.list}>
            {shown.map((item, place) => (
              <MediaRow
                key={item.id}
                media={item}
                first={place === 0}
                last={place === shown.length - 1}
                look={sorting.look(item.id)}
                handle={sorting.handle(item.id)}
                onStep={(by, button) => {
                  pressed.current = button;
                  sorting.step(item.id, by);
                }}
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
