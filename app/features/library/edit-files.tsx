import { useState } from 'react';
import { AltField } from '#features/media/media-fields.tsx';
import { storedAlt } from '#features/media/model/media.ts';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useSeen } from '#ui/data/use-report-when-gone.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { useDescribeFiles } from './library-queries.ts';
import { type FileChange, hasAlt, type LibraryFile } from './model/library.ts';
import { library as words } from './words.ts';

type Editing = { onClose: () => void; onSaved: () => void };

export function EditFiles({ files, ...editing }: Editing & { files: readonly LibraryFile[] | null }) {
  const describe = useDescribeFiles();
  return (
    <Dialog
      open={files !== null}
      title={files?.length === 1 ? 'Edit file' : `Alt text of ${files?.length} pictures`}
      busy={describe.isPending}
      className="library-dialog"
      onCancel={editing.onClose}
    >
      {files && <EditForm {...editing} files={files} describe={describe} />}
    </Dialog>
  );
}

// Typed texts return when their dialog was closed by mistake. A row that changed meanwhile is another object.
const typedAlts = new WeakMap<LibraryFile, string | null>();

const CREDIT_HINT = 'Shown below the picture on the site, such as the photographer’s name.';
const LINE = { maxLength: MAX_LINE_LENGTH, autoComplete: 'off' };

const Fields = defineForm({
  fields: {
    credit: { label: words.columns.credit, hint: CREDIT_HINT, ...LINE },
    file_name: { label: 'Name', ...LINE },
  },
  failed: words.failedToSave,
});

type EditFormProps = Editing & { files: readonly LibraryFile[]; describe: ReturnType<typeof useDescribeFiles> };

function EditForm({ files, describe, onClose, onSaved }: EditFormProps) {
  const { say } = useStatus();
  const { seen, refused } = useSeen(files, words.failedToSave);
  const [alts, setAlts] = useState<Record<string, string | null>>(() =>
    Object.fromEntries(files.filter((file) => typedAlts.has(file)).map((file) => [file.id, typedAlts.get(file)!])),
  );
  const [typed, setTyped] = useState(false);
  useOpenWork(typed || Object.keys(alts).length > 0);
  const single = files.length === 1 ? files[0]! : null;
  const [start] = useState({ credit: single?.credit ?? '', file_name: single?.file_name ?? '' });
  const altOf = (file: LibraryFile) => (file.id in alts ? alts[file.id]! : file.alt);

  async function save({ credit, file_name }: typeof start) {
    // Only what was changed here: someone else may have changed the other.
    const changeOf = (file: LibraryFile): FileChange => ({
      id: file.id,
      seen: seen.current[files.indexOf(file)]!.updated_at,
      ...(hasAlt(file) && file.id in alts && { alt: storedAlt(altOf(file)) }),
      ...(credit !== start.credit && { credit }),
      ...(file_name !== start.file_name && { file_name }),
    });
    const changes = files.filter((file) => single || altOf(file) !== file.alt).map(changeOf);
    if (changes.length > 0) await describe.mutateAsync(changes).catch(refused);
    return changes.length;
  }

  return (
    <Fields
      className="stack gap-above"
      size="admin"
      start={start}
      onUnsaved={setTyped}
      save={save}
      onSaved={(count) => {
        if (count > 0) say(count === 1 ? 'Saved.' : `Alt text of ${count} pictures saved.`);
        onSaved();
        onClose();
      }}
      onCancel={onClose}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      {(field) => (
        <>
          {files.some(hasAlt) && (
            <p className="field-hint">New uses start with this text. Uses with words of their own keep them.</p>
          )}
          {files.map((file, place) => (
            <div className="inline top" key={file.id}>
              <Thumbnail beside media={file} />
              <div className="stack grow">
                {hasAlt(file) && (
                  <AltField
                    id={`alt-${file.id}`}
                    of={file.title}
                    autoFocus={place === 0}
                    alt={altOf(file)}
                    onChange={(alt) => {
                      typedAlts.set(file, alt);
                      setAlts((before) => ({ ...before, [file.id]: alt }));
                    }}
                  />
                )}
                {single && [field('credit'), field('file_name')]}
              </div>
            </div>
          ))}
        </>
      )}
    </Fields>
  );
}
