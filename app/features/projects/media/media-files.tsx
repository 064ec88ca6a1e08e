import { type ComponentProps, useEffect } from 'react';
import { FileField } from '#features/media/file-field.tsx';
import { PICTURES, VIDEOS } from '#features/media/poster-field.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useMediaUploads, useUploads } from '#features/media/use-uploads.ts';
import '../projects.css';

interface Chosen {
  media: Parameters<typeof useUploads>[0];
  attach: Parameters<typeof useUploads>[1];
  onBusy: (busy: boolean) => void;
}

export function PictureFiles({ media, attach, onBusy }: Chosen) {
  const uploads = useUploads(media, attach);
  useEffect(() => onBusy(uploads.busy), [uploads.busy, onBusy]);
  return (
    <div className="stack">
      <PictureInput onChoose={uploads.add} />
      <UploadList uploads={uploads} />
    </div>
  );
}

/** Films too, which belong to a project that exists: an upload that was interrupted continues there. */
export function MediaFiles({ project, media, attach, onBusy }: Chosen & { project: string }) {
  const uploads = useMediaUploads(project, media, attach);
  useEffect(() => onBusy(uploads.busy), [uploads.busy, onBusy]);
  return (
    <div className="stack">
      <PictureInput onChoose={uploads.add} />
      <FileField
        label="Or a video file"
        hint="MP4 (H.264) or WebM, up to 200 MB. An upload that is interrupted continues where it stopped."
        accept={VIDEOS}
        multiple
        onChoose={uploads.add}
      />
      <UploadList uploads={uploads} />
    </div>
  );
}

const PictureInput = ({ onChoose }: Pick<ComponentProps<typeof FileField>, 'onChoose'>) => (
  <FileField label="Or picture files" hint="JPG, PNG, GIF up to 10MB" accept={PICTURES} multiple onChoose={onChoose} />
);
