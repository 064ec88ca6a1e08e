import { useRef, useState } from 'react';
import { submissionWords as words } from '../../../copy/submission.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** Words to find the experiment by: typed, then added by Enter or the button. */
export function Tags({
  tags,
  onAdd,
  onRemove,
}: {
  tags: string[];
  onAdd: (typed: string) => void;
  onRemove: (tag: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');

  function add() {
    onAdd(typed);
    setTyped('');
    input.current?.focus();
  }

  return (
    <div className="submit-tags">
      <Field label={words.tags} hint="One at a time. Enter adds it.">
        {(aria) => (
          <div className="submit-row">
            <input
              {...aria}
              ref={input}
              className="field-input"
              type="text"
              maxLength={60}
              autoComplete="off"
              enterKeyHint="done"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                add();
              }}
            />
            <Button variant="secondary" onClick={add} aria-label="Add tag">
              Add
            </Button>
          </div>
        )}
      </Field>
      {tags.length > 0 && (
        <ul className="submit-tag-list" aria-label="Added so far">
          {tags.map((tag) => (
            <li key={tag} className="submit-tag">
              <span>{tag}</span>
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                onClick={() => {
                  onRemove(tag);
                  // The pressed button is gone; the keyboard must not fall back to the top of the page.
                  input.current?.focus();
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
