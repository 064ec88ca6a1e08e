import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import './tags-field.css';

/** Words to find something by: typed, then added by Enter or the button. */
export function TagsField({
  id,
  name,
  tags,
  error,
  onAdd,
  onRemove,
}: {
  id?: string;
  name?: string;
  tags: string[];
  /** What is wrong with the tags, in words. */
  error?: string | null;
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
    <div className="tags-field">
      <Field {...(id && { id })} label="Tags" hint="One at a time. Enter adds it." error={error}>
        {(aria) => (
          <div className="tags-field-row">
            <input
              {...aria}
              ref={input}
              name={name}
              className="field-input"
              type="text"
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
        <ul className="tag-list" aria-label="Added so far">
          {tags.map((tag) => (
            <li key={tag} className="tag">
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
