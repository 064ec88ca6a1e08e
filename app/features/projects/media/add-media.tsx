import { useRef, useState } from 'react';
import { ChooseFromLibrary } from '#features/library/choose-from-library.tsx';
import { storeFirstFrame } from '#features/media/film-frame.ts';
import { isFilm } from '#features/media/model/film-target.ts';
import { nextOrder } from '#features/media/model/media.ts';
import { titleFromFile } from '#features/media/model/titles.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_ADDRESS_LENGTH, MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { admin } from '#lib/words/admin.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import type { NewMedia } from '../model/media.ts';
import type { ProjectMedia } from '../model/read.ts';
import type { Parts } from '../planned/use-parts.ts';
import { MediaFiles } from './media-files.tsx';

const AddressForm = defineForm({
  fields: {
    type: { label: 'Type', kind: 'select', options: { image: 'Image', video: 'Video', demo: 'Demo' } },
    url: { label: 'Address', kind: 'url', required: true, maxLength: MAX_ADDRESS_LENGTH, placeholder: 'https://' },
    title: { label: 'Title', maxLength: MAX_CAPTION_LENGTH },
  },
  failed: admin.failedToAddMedia,
});

export function AddMedia({ id: project, media }: { id: string; media: Parts['media'] }) {
  const { say } = useStatus();
  const [typed, setTyped] = useState(false);
  useOpenWork(typed);
  const lastOrder = useRef(-1);
  // Also above what is still on its way.
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
        save={({ type, url, title }) => add({ type: type as ProjectMedia['type'], url, title: title || null })}
        onSaved={(_, form) => {
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
