import { type Editor, isNodeSelection } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type RefObject, useId } from 'react';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { mediaWords as words } from '#lib/words/media.ts';

export function PictureWords({ editor, input }: { editor: Editor; input: RefObject<HTMLInputElement | null> }) {
  const id = useId();
  const alt = useEditorState({
    editor,
    selector: ({ editor: { state } }) =>
      isNodeSelection(state.selection) && state.selection.node.type.name === 'image'
        ? String(state.selection.node.attrs['alt'] ?? '')
        : null,
  });
  if (alt === null) return null;
  return (
    <div className="editor-picture hairline-below cluster shrink">
      <label className="bold" htmlFor={id}>
        {words.alt}
      </label>
      <input
        id={id}
        ref={input}
        className="field-input"
        type="text"
        maxLength={MAX_CAPTION_LENGTH}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        value={alt}
        // The node must stay the same: replacing it would lose the selection with every keystroke.
        onChange={({ target }) =>
          editor.view.dispatch(editor.state.tr.setNodeAttribute(editor.state.selection.from, 'alt', target.value))
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          editor.commands.focus();
        }}
      />
      <span className="field-hint" id={`${id}-hint`}>
        {words.altHint}
      </span>
    </div>
  );
}
