import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SortHint } from '#ui/form/sort-controls.tsx';
import { useSorting } from '#ui/form/use-sorting.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { chooseCover, inOrderOf, reorderMedia } from '../model/media.ts';
import type { ProjectInFull, ProjectMedia } from '../model/read.ts';
import { nameOfMedia } from '../model/versions/version-difference.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';
import { AddMedia } from './add-media.tsx';
import { DeleteMedia } from './delete-media.tsx';
import { MediaRow } from './media-row.tsx';
import '../projects.css';

export function MediaEditor({ project, onBusy }: { project: ProjectInFull; onBusy: (busy: boolean) => void }) {
  const { media, save } = useMediaOrder(project);
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  const chooseCover = useChooseCover(project.id);
  const pictures = media.filter(({ type }) => type === 'image');
  const cover = pictures.find(({ is_cover }) => is_cover) ?? pictures[0];
  const sorting = useSorting(media, nameOfMedia, save);

  return (
    <TitledSection titleId="media" title={words.media}>
      <p className="field-hint">{words.savedAtOnce}</p>
      {media.length === 0 ? (
        <p className="empty">{words.noMedia}</p>
      ) : (
        <>
          <SortHint />
          <ol className="above-3 hairline" ref={sorting.list}>
            {sorting.shown.map((item) => (
              <MediaRow
                key={item.id}
                media={item}
                sorting={sorting}
                cover={pictures.length > 1 && item.type === 'image' ? item === cover : null}
                onCover={() => chooseCover(item === cover && item.is_cover ? null : item)}
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
    </TitledSection>
  );
}

function useChooseCover(projectId: string): (media: ProjectMedia | null) => void {
  const cache = useQueryClient();
  const status = useStatus();
  const choosing = useMutation({
    mutationFn: (media: ProjectMedia | null) => chooseCover(clients().data(), projectId, media?.id ?? null),
    onSuccess: (_, media) => status.say(media ? `${nameOfMedia(media)} is the cover.` : words.coverLeft),
    onError: (error) => status.complain(messageOf(error, 'The cover was not changed.')),
    onSettled: () => projectsChanged(cache),
  });
  return choosing.mutate;
}

/** Shows the new order immediately; orders are saved one after the other. */
function useMediaOrder({ id, project_media }: ProjectInFull) {
  const cache = useQueryClient();
  const status = useStatus();
  const saving = useMutation({
    scope: { id: `media ${id}` },
    mutationFn: (ids: readonly string[]) => reorderMedia(clients().data(), id, ids),
    onError: (error) => status.complain(messageOf(error, words.failedToMove)),
    onSettled: () => projectsChanged(cache),
  });
  const media: ProjectMedia[] = saving.isPending ? inOrderOf(project_media, saving.variables) : project_media;
  return { media, save: saving.mutate };
}
