import { useState } from 'react';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { MAX_SEARCH_LENGTH } from '#lib/data/page.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { MoreButton } from '#ui/data/more-button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { useDebounced } from '#ui/form/use-debounced.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { useLibrarySearch } from './library-queries.ts';
import { factsOf, type LibraryFile } from './model/library.ts';
import { library as words } from './words.ts';
import './library.css';

const SEARCH_DELAY_MS = 250;

type Choosing = { kind?: LibraryFile['kind']; hint: string; onChoose: (file: LibraryFile) => unknown };

export function ChooseFromLibrary({ name, ...choosing }: Choosing & { name?: string }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <SmallButton className="self-start" name={name} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="picture" /> {words.choose}
      </SmallButton>
      <Dialog
        open={open}
        title={words.choose}
        closedby="any"
        className="library-dialog"
        closeLabel={words.cancel}
        onCancel={close}
      >
        <Choices {...choosing} onClose={close} />
      </Dialog>
    </>
  );
}

function Choices({ kind, hint, onChoose, onClose }: Choosing & { onClose: () => void }) {
  const { busy, failure, run } = useSubmit('It could not be added.');
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const found = useLibrarySearch(search, kind);
  const files = found.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const choose = (file: LibraryFile) => run(async () => onChoose(file), onClose);

  return (
    <div className="stack gap-above" aria-busy={busy || found.isFetching}>
      <TextField
        type="search"
        label="Search the library"
        hint={hint}
        autoComplete="off"
        autoFocus
        maxLength={MAX_SEARCH_LENGTH}
        value={typed}
        // The form around the dialog would be sent.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={({ target }) => setTyped(target.value)}
      />
      {failure && <Banner kind="error">{failure}</Banner>}
      <Loaded query={found} loading={words.loading} failed={words.failed}>
        {({ pages }) => (
          <>
            <p className="hidden-text" aria-live="polite">
              {words.count(pages[0]!.total)}
            </p>
            {files.length === 0 && <EmptyState title={search ? words.noMatch : words.none} />}
            <ul className="grid library-choices">
              {files.map((file) => (
                <li key={file.id}>
                  <button type="button" className="stack gap-1 full anywhere framed" onClick={() => void choose(file)}>
                    <Thumbnail beside media={file} />
                    <span>{file.title}</span>
                    <span className="quiet small">{factsOf(file)}</span>
                  </button>
                </li>
              ))}
            </ul>
            <MoreButton query={found}>Show more</MoreButton>
          </>
        )}
      </Loaded>
    </div>
  );
}
