import { useEffect, useState } from 'react';
import { AltField } from '#features/media/media-fields.tsx';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SaveOrCancel } from '#ui/form/save-or-cancel.tsx';
import { textIn, useSubmit } from '#ui/form/use-submit.ts';
import { useDescribeFiles } from './library-queries.ts';
import { LibraryThumbnail } from './library-thumbnail.tsx';
import { type FileChange, hasAlt, type LibraryFile } from './model/library.ts';
import { library as words } from './words.ts';

interface Editing {
  onClose: () => void;
  onSaved: () => void;
}

export function EditFiles({ files, ...editing }: Editing & { files: readonly LibraryFile[] | null }) {
  const [busy, setBusy] = useState(false);
  const title = files?.length === 1 ? 'Edit file' : `Alt text of ${files?.length} pictures`;
  return (
    <Dialog open={files !== null} title={title} busy={busy} className="library-dialog" onCancel={editing.onClose}>
      {files && <EditForm {...editing} files={files} onBusy={setBusy} />}
    </Dialog>
  );
}

function EditForm({
  files,
  onBusy,
  onClose,
  onSaved,
}: Editing & { files: readonly LibraryFile[]; onBusy: (busy: boolean) => void }) {
  const { say } = useStatus();
  const describe = useDescribeFiles();
  const [alts, setAlts] = useState<Record<string, string | null>>({});
  const { busy, failure, submit } = useSubmit('Nothing was saved.');
  const single = files.length === 1 ? files[0]! : null;
  const altOf = (file: LibraryFile) => (file.id in alts ? alts[file.id]! : file.alt);
  useEffect(() => {
    onBusy(busy);
    return () => onBusy(false);
  }, [busy, onBusy]);

  const save = submit(
    async (typed) => {
      const changed = files.filter((file) => single || altOf(file) !== file.alt);
      const changes = changed.map((file): FileChange => {
        const alt = hasAlt(file) && file.id in alts && { alt: altOf(file)?.trim() ?? null };
        const rest = single && { credit: textIn(typed, 'credit'), file_name: textIn(typed, 'file_name') };
        return { id: file.id, seen: file.updated_at, ...alt, ...rest };
      });
      if (changes.length > 0) await describe.mutateAsync(changes);
      return changes.length;
    },
    (count) => {
      if (count > 0) say(count === 1 ? 'Saved.' : `Alt text of ${count} pictures saved.`);
      onSaved();
      onClose();
    },
  );

  return (
    <form className="stack gap-above" onSubmit={save}>
      {failure && <Banner kind="error">{failure}</Banner>}
      {files.some(hasAlt) && (
        <p className="field-hint">New uses start with this text. Uses with words of their own keep them.</p>
      )}
      {files.map((file, place) => (
        <div className="inline top" key={file.id}>
          <LibraryThumbnail file={file} />
          <div className="stack grow">
            {hasAlt(file) && (
              <AltField
                id={`alt-${file.id}`}
                of={file.title}
                autoFocus={place === 0}
                alt={altOf(file)}
                onChange={(alt) => setAlts((before) => ({ ...before, [file.id]: alt }))}
              />
            )}
            {single && (
              <>
                <TextField
                  label={words.columns.credit}
                  name="credit"
                  hint="Shown below the picture on the site, such as the photographer’s name."
                  maxLength={MAX_LINE_LENGTH}
                  autoComplete="off"
                  defaultValue={file.credit ?? ''}
                />
                <TextField
                  label="Name"
                  name="file_name"
                  maxLength={MAX_LINE_LENGTH}
                  autoComplete="off"
                  defaultValue={file.file_name ?? ''}
                />
              </>
            )}
          </div>
        </div>
      ))}
      <SaveOrCancel busy={busy} busyLabel="Saving..." waits={busy} onCancel={onClose} />
    </form>
  );
}
