import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { SmallButton } from '../form/button.tsx';
import { linkAddress } from './link-address.ts';

export function LinkForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const id = useId();
  const currentHref = (editor.getAttributes('link')['href'] as string | undefined) ?? '';
  const [typed, setTyped] = useState(currentHref.replace(/^mailto:/, ''));
  const [refused, setRefused] = useState(false);

  function close() {
    onClose();
    editor.commands.focus();
  }

  function apply() {
    if (typed.trim() === '' && currentHref) return remove();
    const href = linkAddress(typed);
    if (!href) return setRefused(true);
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && !currentHref) {
      const text = { type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] };
      chain.insertContent(text).run();
    } else chain.setLink({ href }).run();
    onClose();
  }

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  }

  function keys(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Nested in the page's form, which Enter must not submit.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') close();
    else apply();
  }

  return (
    <fieldset className="editor-link hairline-below cluster shrink">
      <legend className="hidden-text">Link</legend>
      <label className="bold" htmlFor={id}>
        Link address
      </label>
      <input
        id={id}
        className="field-input"
        type="text"
        inputMode="url"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://… or an email address"
        // biome-ignore lint/a11y/noAutofocus: the user opened this form, and it has only one field
        autoFocus
        value={typed}
        aria-invalid={refused || undefined}
        aria-describedby={refused ? `${id}-error` : undefined}
        onKeyDown={keys}
        onChange={(event) => {
          setTyped(event.target.value);
          setRefused(false);
        }}
      />
      <div className="cluster stretch gap-2">
        <SmallButton variant="primary" onClick={apply}>
          Apply link
        </SmallButton>
        {currentHref && <SmallButton onClick={remove}>Remove link</SmallButton>}
        <SmallButton variant="quiet" onClick={close}>
          Cancel
        </SmallButton>
      </div>
      {refused && (
        <p className="field-error" id={`${id}-error`} role="alert">
          A link starts with https://, http://, mailto: or tel:, or is an email address.
        </p>
      )}
    </fieldset>
  );
}
