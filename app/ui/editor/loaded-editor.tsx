import { type Editor, isNodeSelection } from '@tiptap/core';
import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { MAX_INLINE_PICTURE } from '../../../media-address.ts';
import { SmallButton } from '../form/button.tsx';
import type { FieldAria } from '../form/field.tsx';
import { type EditorPlace, selectPlace } from './editor-place.ts';
import { type EditorEvents, extensionsWith } from './extensions.ts';
import { LinkForm } from './link-form.tsx';
import type { Pasted } from './pasted-html.ts';
import { Toolbar } from './toolbar.tsx';
import '../styles/prose.css';
import './editor.css';

export interface LoadedEditorProps {
  aria: FieldAria;
  label: string;
  value: string;
  onChange: (html: string) => void;
  /** Plain field whose text and focus the editor takes over. */
  standIn: RefObject<HTMLTextAreaElement | null>;
  composing: RefObject<boolean>;
  onReady: (text: HTMLElement) => void;
  ready: boolean;
  onLargePicture: ((file: File) => void) | undefined;
  place: EditorPlace | null;
}

/** In a file of its own because it is the site's largest script, loaded on approach. */
export function LoadedEditor(props: LoadedEditorProps) {
  const { aria, label, value, place, standIn, composing, onReady, ready } = props;
  const [linking, setLinking] = useState(false);
  const [notices, setNotices] = useState<PictureNotice[]>([]);
  const lastValue = useRef(value);
  const latest = useRef(props);
  latest.current = props;
  const notify = (...added: PictureNotice[]) =>
    setNotices((known) => [...known.filter(({ text }) => added.every((one) => one.text !== text)), ...added]);
  const close = (closed: PictureNotice) => setNotices((known) => known.filter((one) => one !== closed));
  const events: EditorEvents = {
    onLink: () => setLinking(true),
    onTooLarge: (file) => notify(tooLarge(file, latest.current.onLargePicture)),
    onRefused: ({ name }) =>
      notify({ text: `${name || 'The file'} was left out: a text holds PNG, GIF, JPEG, BMP and icon pictures.` }),
    onPictures: (found) => notify(...pasted(editor, found)),
  };
  const { 'aria-describedby': described, 'aria-invalid': invalid } = aria;
  const attributes = {
    id: aria.id,
    class: 'prose editor-text',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    ...(described && { 'aria-describedby': described }),
    ...(aria.required && { 'aria-required': 'true' }),
    ...(invalid && { 'aria-invalid': 'true' }),
  };
  const editor: Editor = useEditor({
    extensions: extensionsWith(events),
    content: value,
    // The CSP forbids inline styles; editor.css has them.
    injectCSS: false,
    immediatelyRender: true,
    shouldRerenderOnTransaction: false,
    editorProps: { attributes },
    onUpdate: ({ editor: now }) => {
      lastValue.current = htmlOf(now);
      latest.current.onChange(lastValue.current);
    },
  });

  // Runs while mounting, so that nothing can be typed or focused between the plain field and the editor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const field = standIn.current;
    const replacePlainField = () => {
      // Waits for the end of input method composition, whose text would be lost with the field.
      if (composing.current) return;
      if (document.activeElement === field) {
        editor.commands.setTextSelection(editor.state.doc.content.size);
        editor.view.focus();
      }
      onReady(editor.view.dom);
    };
    replacePlainField();
    const replaceLater = () => setTimeout(replacePlainField);
    field?.addEventListener('compositionend', replaceLater);
    return () => field?.removeEventListener('compositionend', replaceLater);
  }, []);

  useLayoutEffect(() => {
    if (ready && editor.isFocused) editor.commands.scrollIntoView();
  }, [editor, ready]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes are made of these
  useEffect(() => editor.setOptions({ editorProps: { attributes } }), [editor, aria.id, described, invalid]);

  const pictureWords = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!place) return;
    selectPlace(editor, place);
    // Waits for the next frame, which renders the description field.
    if (place.kind !== 'picture') return;
    const frame = requestAnimationFrame(() => pictureWords.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [editor, place]);

  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);

  return (
    <div className="editor panel framed" data-invalid={invalid}>
      <Toolbar editor={editor} controls={aria.id} onLink={() => setLinking(true)} />
      {linking && <LinkForm editor={editor} onClose={() => setLinking(false)} />}
      <PictureWords editor={editor} input={pictureWords} />
      <EditorContent editor={editor} />
      {notices.map((notice) => (
        <div key={notice.text} className="editor-notice paper cluster shrink hairline" role="status">
          <p>{notice.text}</p>
          {notice.action && (
            <SmallButton
              onClick={() => {
                notice.action?.run();
                close(notice);
              }}
            >
              {notice.action.label}
            </SmallButton>
          )}
          <SmallButton variant="quiet" onClick={() => close(notice)}>
            {notice.close ?? 'Close'}
          </SmallButton>
        </div>
      ))}
    </div>
  );
}

/** '' for an empty text, without the editor's empty last paragraph. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML().replace(/(?:<p><\/p>)+$/, ''));

function PictureWords({ editor, input }: { editor: Editor; input: RefObject<HTMLInputElement | null> }) {
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

type PictureNotice = { text: string; action?: { label: string; run: () => void } | undefined; close?: string };

const tooLarge = (file: File, onLargePicture: ((file: File) => void) | undefined): PictureNotice => ({
  text: `${file.name || 'The picture'} is ${Math.ceil(file.size / 1024)} KB. Inside a text a picture may have ${MAX_INLINE_PICTURE / 1024} KB at most.`,
  action: onLargePicture && { label: 'Add it to the media instead', run: () => onLargePicture(file) },
  close: 'Leave it out',
});

function pasted(editor: Editor, { unreachable, elsewhere }: Pasted): PictureNotice[] {
  const notices: PictureNotice[] = [];
  const isOne = elsewhere.length === 1;
  const leftOut =
    unreachable === 1
      ? '1 picture was left out: pasting brings only the text along. Upload it under Media instead.'
      : `${unreachable} pictures were left out: pasting brings only the text along. Upload them under Media instead.`;
  if (unreachable > 0) notices.push({ text: leftOut });
  if (elsewhere.length > 0)
    notices.push({
      text: `${isOne ? '1 picture stays on another site' : `${elsewhere.length} pictures stay on other sites`}, and will be missing here when it is gone there. Upload a copy under Media instead.`,
      action: { label: isOne ? 'Take it out' : 'Take them out', run: () => removePictures(editor, elsewhere) },
      close: isOne ? 'Keep it' : 'Keep them',
    });
  return notices;
}

function removePictures(editor: Editor, addresses: readonly string[]): void {
  const { tr, doc } = editor.state;
  doc.descendants((node, position) => {
    if (node.type.name === 'image' && addresses.includes(String(node.attrs['src'])))
      tr.delete(tr.mapping.map(position), tr.mapping.map(position + node.nodeSize));
  });
  editor.view.dispatch(tr);
  editor.commands.focus();
}
