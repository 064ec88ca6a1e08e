import { useEffect } from 'react';
import { FileField } from '#features/media/file-field.tsx';
import { PICTURES, VIDEOS } from '#features/media/poster-field.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useMediaUploads, type useUploads } from '#features/media/use-uploads.ts';
import '../projects.css';

interface MediaFilesProps {
  project?: string;
  attach: Parameters<typeof useUploads>[0];
  takeOrder?: () => number;
  onBusy?: (busy: boolean) => void;
}

/** @param project takes films too, which belong to a project that exists: an interrupted upload continues there */
export function MediaFiles({ project, attach, takeOrder, onBusy }: MediaFilesProps) {
  const uploads = useMediaUploads(project ?? 'new', attach, takeOrder);
  useEffect(() => {
    onBusy?.(uploads.busy);
    return () => onBusy?.(false);
  }, [uploads.busy, onBusy]);
  return (
    <div className="stack">
      <FileField
        label="Or picture files"
        hint="JPG, PNG, GIF up to 10MB"
        accept={PICTURES}
        multiple
        onChoose={(files) => uploads.add(files, project ? undefined : 'picture')}
      />
      {project && (
        <FileField
          label="Or a video file"
          hint="MP4 (H.264) or WebM, up to 200 MB. An upload that is interrupted continues where it stopped."
          accept={VIDEOS}
          multiple
          onChoose={uploads.add}
        />
      )}
      <UploadList uploads={uploads} />
    </div>
  );
}
