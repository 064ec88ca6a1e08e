import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { MAX_LABEL_LENGTH, MAX_TAGS } from '#lib/data/limits.ts';
import { Icon } from '../icon.tsx';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { useTakeAtSubmit } from './use-take-at-submit.ts';
import './tags-field.css';

const TAGS = {
  label: 'Tags',
  hint: `One at a time. Enter adds it. Up to ${MAX_TAGS} tags of ${MAX_LABEL_LENGTH} characters each.`,
  add: 'Add tag',
  remove: (tag: string) => `Remove tag ${tag}`,
};

interface TagsFieldProps {
  id?: string;
  name?: string;
  tags: string[];
  error?: string | null;
  words?: { label: ReactNode; hint: string; add: string; remove: (tag: string) => string };
  limit?: number;
  suggestions?: readonly string[];
  typing?: { typed: string; onType: (typed: string) => void };
  onAdd: (typed: string) => void;
  onRemove: (tag: string) => void;
}

export function TagsField(props: TagsFieldProps) {
  const { id, name, tags, error, words = TAGS, limit = MAX_LABEL_LENGTH, suggestions = [] } = props;
  const { typing, onAdd, onRemove } = props;
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const [text, setText] = useState('');
  useLayoutEffect(() => setText(input.current!.value), []);
  useTakeAtSubmit(input, take);

  const written = { text: typing?.typed ?? text, limit };

  function take() {
    const typed = input.current!.value;
    if (typing) typing.onType('');
    else input.current!.value = '';
    setText('');
    if (typed !== '') onAdd(typed);
  }
  function add() {
    take();
    input.current!.focus();
  }

  return (
    <div className="stack gap-3">
      <Field id={id} label={words.label} hint={words.hint} error={error} written={written}>
        {(aria) => (
          <div className="cluster tags-field-row">
            <input
              {...aria}
              ref={input}
              name={name}
              className="field-input"
              type="text"
              autoComplete="off"
              enterKeyHint="done"
              list={suggestions.length > 0 ? list : undefined}
              {...(typing && { value: typing.typed })}
              onChange={({ target }) => {
                setText(target.value);
                typing?.onType(target.value);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                add();
              }}
            />
            <Button variant="secondary" onClick={add} aria-label={words.add}>
              Add
            </Button>
            {suggestions.length > 0 && (
              <datalist id={list}>
                {suggestions.map((suggestion) => (
                  <option key={suggestion} value={suggestion} />
                ))}
              </datalist>
            )}
          </div>
        )}
      </Field>
      {tags.length > 0 && (
        <ul className="cluster stretch gap-2" aria-label="Added so far">
          {tags.map((tag) => (
            <li key={tag} className="tag panel">
              <span className="anywhere">{tag}</span>
              <button
                className="center marked"
                type="button"
                aria-label={words.remove(tag)}
                onClick={() => {
                  onRemove(tag);
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
