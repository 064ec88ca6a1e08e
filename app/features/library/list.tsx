import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { FileInput } from '#features/media/file-field.tsx';
import { PICTURES, VIDEOS } from '#features/media/poster-field.tsx';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { UploadList } from '#features/media/upload-list.tsx';
import { useMediaUploads } from '#features/media/use-uploads.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { tables } from '#lib/words/tables.ts';
import { clients } from '#session/browser.ts';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { type Filter, useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { NewestOlder } from '#ui/data/newest-older.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { DayTime } from '#ui/time.tsx';
import { DeleteFiles } from './delete-files.tsx';
import { EditFiles } from './edit-files.tsx';
import { libraryChanged, useLibrary, useRestoreFiles } from './library-queries.ts';
import {
  addToLibrary,
  factsOf,
  hasAlt,
  type LibraryFile,
  type LibraryQuestion,
  libraryParams,
} from './model/library.ts';
import { Places } from './places.tsx';
import { ReplaceFile } from './replace-file.tsx';
import { library as words } from './words.ts';
import './library.css';

export const meta = privateTags(words.title);

const ACCEPTED = `${PICTURES},${VIDEOS}`;
const KINDS = { image: 'Pictures', film: 'Videos' };

const FILTERS: readonly Filter<LibraryQuestion>[] = [
  { kind: 'search', name: 'search', label: 'Search name, alt text, credit and project' },
  { kind: 'select', name: 'kind', label: 'Kind', all: 'Pictures and videos', options: KINDS },
  { kind: 'chip', label: words.states.unused, value: { state: 'unused' } },
  { kind: 'chip', label: words.states.no_alt, value: { state: 'no_alt' } },
  { kind: 'chip', label: words.states.deleted, value: { state: 'deleted' } },
];

const COLUMNS: readonly Column<LibraryFile>[] = [
  {
    header: words.columns.file,
    cell: (file) => (
      <span className="library-file inline">
        <Thumbnail beside media={file} />
        <span>
          {file.title}
          <span className="row-preview">{factsOf(file)}</span>
        </span>
      </span>
    ),
  },
  { header: words.columns.places, cell: (file) => <Use file={file} /> },
  { header: words.columns.alt, cell: (file) => <Alt file={file} /> },
  { header: words.columns.credit, wide: true, cell: ({ credit }) => credit },
  {
    header: words.columns.added,
    wide: true,
    cell: ({ created_at, created_by }) => (
      <>
        <DayTime at={created_at} />
        <span className="row-preview">{created_by}</span>
      </>
    ),
  },
];

type Doing = { what: 'edit' | 'delete' | 'replace'; files: readonly LibraryFile[]; deselect?: (ids: string[]) => void };

export default function Library() {
  const list = useList(libraryParams);
  const found = useLibrary(list.question);
  const cache = useQueryClient();
  const { say, report } = useStatus();
  const uploads = useMediaUploads('library', async ({ file, target }) => {
    await addToLibrary(clients().data(), target, file.name);
    await libraryChanged(cache);
    say(`${file.name} is in the library.`);
  });
  const hasUploads = uploads.going.length + uploads.interrupted.length > 0;
  const [doing, setDoing] = useState<Doing | null>(null);
  const start = (what: Doing['what'], files: Doing['files'], deselect?: Doing['deselect']) =>
    setDoing({ what, files, deselect });
  const stop = () => setDoing(null);
  const isDoing = (what: Doing['what']) => (doing?.what === what ? doing.files : null);
  const { isPending: isRestoring, mutateAsync: restoreFiles } = useRestoreFiles();
  const sayRestored = (count: number) => say(`${words.count(count)} restored.`);
  const restore = (files: readonly LibraryFile[]) =>
    void report(restoreFiles(files.map(({ id }) => id)), 'Nothing was restored.', sayRestored);
  const isTrash = list.question.state === 'deleted';

  return (
    <ListScreen
      title={words.title}
      about="Every picture and video of the site, and where it is used. Drop files anywhere here to upload them: PNG, JPG, GIF, WebP or AVIF up to 10&nbsp;MB, MP4 or WebM up to 200&nbsp;MB."
      actions={<UploadButton onFiles={uploads.add} />}
      notice={
        <div className={hasUploads ? 'stack gap-3 panel pad-4 below-4' : undefined}>
          <UploadList uploads={uploads} />
        </div>
      }
      list={list}
      filters={FILTERS}
      clear="Clear filters"
      query={found}
      loading={words.loading}
      failed={words.failed}
      none={words.none}
      noMatch={words.noMatch}
      table={{
        caption: 'Pictures and videos, newest first',
        keyOf: ({ id }) => id,
        columns: COLUMNS,
        selecting: {
          nameOf: ({ title }) => title,
          actions: (rows, deselect) =>
            isTrash ? (
              <SmallButton variant="primary" busy={isRestoring} onClick={() => restore(rows)}>
                {words.restore}
              </SmallButton>
            ) : (
              <>
                <SmallButton disabled={!rows.some(hasAlt)} onClick={() => start('edit', rows.filter(hasAlt), deselect)}>
                  Write alt text
                </SmallButton>
                <SmallButton variant="danger" onClick={() => start('delete', rows, deselect)}>
                  {words.delete}
                </SmallButton>
              </>
            ),
        },
        actions: (file) =>
          isTrash ? (
            <SmallButton aria-label={`Restore ${file.title}`} busy={isRestoring} onClick={() => restore([file])}>
              {words.restore}
            </SmallButton>
          ) : (
            <>
              <SmallButton data-key="e" aria-label={`Edit ${file.title}`} onClick={() => start('edit', [file])}>
                Edit
              </SmallButton>
              <DropMenu
                label={tables.moreFor(file.title)}
                summary={tables.more}
                choices={[
                  { label: 'Replace everywhere', act: () => start('replace', [file]) },
                  { label: words.delete, danger: true, act: () => start('delete', [file]) },
                ]}
              />
            </>
          ),
      }}
      foot={({ total, next }) => (
        <div className="cluster pad-top-4">
          <p aria-live="polite">{words.count(total)}</p>
          <NewestOlder list={list} next={next} />
        </div>
      )}
    >
      <LeaveGuard />
      <EditFiles
        files={isDoing('edit')?.map((file) => found.data?.rows.find(({ id }) => id === file.id) ?? file) ?? null}
        onClose={stop}
        onSaved={() => doing?.deselect?.(doing.files.map(({ id }) => id))}
      />
      <DeleteFiles files={isDoing('delete')} onClose={stop} onDeleted={(ids) => doing?.deselect?.(ids)} />
      <ReplaceFile file={isDoing('replace')?.[0] ?? null} onClose={stop} />
    </ListScreen>
  );
}

function Use({ file }: { file: LibraryFile }) {
  if (file.kept_until)
    return (
      <>
        Kept until <DayTime at={file.kept_until} />
      </>
    );
  if (file.uses > 0) return <Places file={file} />;
  return <span className="quiet">{file.kept ? 'Not used' : 'Not used: removed a day after its upload'}</span>;
}

function Alt({ file }: { file: LibraryFile }) {
  const { alt } = file;
  const notNeeded = 'Not needed: posters have the text of their video, portraits the name of the person';
  if (!hasAlt(file)) return file.is_named && <span className="quiet">{notNeeded}</span>;
  if (alt === null) return <span className="badge badge-other">Missing</span>;
  return alt || <span className="quiet">Decorative</span>;
}

function UploadButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const addFiles = useEffectEvent(onFiles);
  useEffect(() => {
    // Otherwise the browser would leave the page and open the file.
    const accept = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault();
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented) return;
      event.preventDefault();
      if (!(event.target as Element).closest('dialog')) addFiles(files);
    };
    const controller = new AbortController();
    document.addEventListener('dragover', accept, { signal: controller.signal });
    document.addEventListener('drop', drop, { signal: controller.signal });
    return () => controller.abort();
  }, []);
  return (
    <>
      <FileInput ref={input} hidden multiple accept={ACCEPTED} aria-label={words.upload} onChoose={onFiles} />
      <SmallButton variant="primary" onClick={() => input.current?.click()}>
        <Icon name="plus" /> {words.upload}
      </SmallButton>
    </>
  );
}
