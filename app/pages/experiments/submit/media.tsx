import { useId, useRef, useState } from 'react';
import { submissionWords as words } from '../../../copy/submission.ts';
import { Icon } from '../../../ui/icon.tsx';
import { AddByUrl } from './add-by-url.tsx';
import type { SubmissionForm } from './form.ts';
import type { FormState } from './form-state.ts';
import { MediaTile } from './media-tile.tsx';
import { Sheet } from './sheet.tsx';
import './media.css';

/** The kinds the server takes. Naming them makes phones hand over a JPEG where they would keep a HEIC. */
const PICTURES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';

export function Media({ state, form }: { state: FormState; form: SubmissionForm | null }) {
  const { submission, progress, previews, notices, failure } = state;
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const [over, setOver] = useState(false);
  const missing = failure?.field === 'media' ? failure.message : null;

  return (
    <Sheet number={2} title={words.media}>
      <div className="submit-picker" data-over={over || undefined} data-invalid={missing ? true : undefined}>
        <input
          ref={picker}
          id="submit-media"
          type="file"
          multiple
          accept={PICTURES}
          disabled={!form}
          aria-describedby={[`${id}-hint`, missing && `${id}-error`].filter(Boolean).join(' ')}
          aria-invalid={missing ? true : undefined}
          // It covers the whole frame, so files may be dropped anywhere on it.
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            // Emptied, so that choosing the same file again after removing it is noticed.
            event.target.value = '';
            void form?.media.addFiles(files);
          }}
        />
        <label htmlFor="submit-media">
          <Icon name="picture" />
          <span className="submit-picker-call">Choose pictures</span>
        </label>
        <p id={`${id}-hint`} className="submit-picker-hint">
          {words.pickerHint}
        </p>
        <p className="submit-picker-drop">Or drop them here. They start travelling at once.</p>
      </div>
      <div role="status" className="submit-notices">
        {notices.map((notice) => (
          <p key={notice}>{notice}</p>
        ))}
      </div>
      {missing && (
        <p className="field-error" id={`${id}-error`}>
          {missing}
        </p>
      )}
      <AddByUrl onAdd={(type, url, caption) => form?.media.addAddress(type, url, caption)} />
      {submission.media.length > 0 && (
        <ul className="submit-grid" aria-label="Chosen media">
          {submission.media.map((item) => (
            <MediaTile
              key={item.id}
              item={item}
              preview={previews[item.id] ?? item.url}
              progress={progress[item.id] ?? 0}
              onCaption={(caption) => form?.media.setCaption(item.id, caption)}
              onRetry={() => form?.media.retry(item.id)}
              onRemove={() => {
                form?.media.removeItem(item.id);
                picker.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
    </Sheet>
  );
}
