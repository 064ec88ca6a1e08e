import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ChooseFromLibrary } from '#features/library/choose-from-library.tsx';
import { storeFirstFrame } from '#features/media/film-frame.ts';
import { CoverButton } from '#features/media/media-fields.tsx';
import { isFilm } from '#features/media/model/film-target.ts';
import { nextOrder } from '#features/media/model/media.ts';
import { filmFileId } from '#features/media/model/picture.ts';
import { titleFromFile } from '#features/media/model/titles.ts';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_ADDRESS_LENGTH, MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { admin } from '#lib/words/admin.ts';
import { mediaWords } from '#lib/words/media.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { IconButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { SortableList, SortHandle, StepButtons } from '#ui/form/sort-controls.tsx';
import { useRetryId } from '#ui/form/use-retry-id.ts';
import { useSorting } from '#ui/form/use-sorting.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import { inOrderOf, type NewMedia } from '../model/media.ts';
import type { ProjectMedia } from '../model/read.ts';
import { nameOfMedia } from '../model/versions/version-difference.ts';
import type { Parts } from '../planned/use-parts.ts';
import { useRowEditor } from '../use-row-editor.ts';
import { editing as words } from '../words.ts';
import { DescribeMedia } from './describe-media.tsx';
import { MediaFiles } from './media-files.tsx';
import { DeleteMedia, DeleteMediaButton, MediaWords } from './media-grid.tsx';
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

interface MediaRowProps {
  media: ProjectMedia;
  sorting: ReturnType<typeof useSorting>;
  cover: boolean | null;
  onCover: () => void;
  onDescribe: Parts['media']['describe'];
  onDelete: () => void;
}

function MediaRow({ media, sorting, cover, onCover, onDescribe, onDelete }: MediaRowProps) {
  const editor = useRowEditor();
  const name = nameOfMedia(media);
  return (
    <li className="media-row middle pad-y-2 stack hairline-below sort-row relative paper" {...sorting.look(media.id)}>
      <SortHandle name={name} handle={sorting.handle(media.id)} />
      <Thumbnail media={media} />
      <MediaWords media={media}>
        {media.type === 'image' && <span className="media-said quiet small">{mediaWords.says(media.alt)}</span>}
        {filmFileId(media.url) && (
          <span className="media-said quiet small">{media.captions ? 'With captions' : 'No captions yet'}</span>
        )}
        {media.made && <span className="media-said quiet small">{mediaWords.madeLine(media.made)}</span>}
      </MediaWords>
      <div className="inline gap-0 media-acts">
        {cover !== null && <CoverButton of={name} pressed={cover} onPress={onCover} />}
        <StepButtons {...sorting.steps(media.id)} />
        <IconButton icon="edit" label={`Describe ${name}`} {...editor.button} />
        <DeleteMediaButton media={media} onClick={onDelete} />
      </div>
      {editor.isOpen && <DescribeMedia media={media} name={name} describe={onDescribe} onClose={editor.close} />}
    </li>
  );
}

const AddressForm = defineForm({
  fields: {
    type: { label: 'Type', kind: 'select', options: { image: 'Image', video: 'Video', demo: 'Demo' } },
    url: { label: 'Address', kind: 'url', required: true, maxLength: MAX_ADDRESS_LENGTH, placeholder: 'https://' },
    title: { label: 'Title', maxLength: MAX_CAPTION_LENGTH },
  },
  failed: admin.failedToAddMedia,
});

function AddMedia({ id: project, media }: { id: string; media: Parts['media'] }) {
  const { say } = useStatus();
  const [typed, setTyped] = useState(false);
  useOpenWork(typed);
  const idOf = useRetryId();
  const lastOrder = useRef(-1);
  const takeOrder = () => {
    lastOrder.current = Math.max(lastOrder.current + 1, nextOrder(media.list));
    return lastOrder.current;
  };

  const add = (item: Pick<NewMedia, 'type' | 'url' | 'title'> & Partial<NewMedia>) =>
    media.add({ id: newId(), project_id: project, ...item, order: item.order ?? takeOrder() });

  return (
    <div className="stack add-media panel above-5 pad-5">
      <AddressForm
        className="add-media-form cluster bottom gap-4"
        start={{ type: 'image' }}
        onUnsaved={setTyped}
        save={({ type, url, title }) =>
          add({ id: idOf([type, url, title]), type: type as ProjectMedia['type'], url, title: title || null })
        }
        onSaved={(_, form) => {
          idOf(null); // The same can be added again.
          form.reset();
          setTyped(false);
        }}
        submitLabel="Add Media via URL"
        submit={{ variant: 'secondary' }}
        busyLabel="Adding..."
      />
      <MediaFiles
        project={project}
        attach={async ({ id, file, url, order, target }) => {
          const row = { id, url, title: titleFromFile(file.name), order };
          if (isFilm(target)) await add({ ...row, type: 'video', poster: await storeFirstFrame(url) });
          else await add({ ...row, type: 'image' });
        }}
        takeOrder={takeOrder}
      />
      <ChooseFromLibrary
        hint="A click adds the picture or video with its alt text."
        onChoose={async ({ kind, url, file_name, alt, poster, title }) => {
          const row = { url, title: file_name && titleFromFile(file_name) };
          if (kind === 'film') await add({ ...row, type: 'video', poster: poster || (await storeFirstFrame(url)) });
          else await add({ ...row, type: 'image', alt, poster });
          say(`${title} is added.`);
        }}
      />
    </div>
  );
}
