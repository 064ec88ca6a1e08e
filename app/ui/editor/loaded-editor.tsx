import type { Editor } from '@tiptap/core';
import { EditorContent, useEditor } from '@tiptap/react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FieldAria } from '../form/field.tsx';
import { type EditorPlace, selectPlace } from './editor-place.ts';
import { type EditorEvents, extensionsWith } from './extensions.ts';
import { LinkForm } from './link-form.tsx';
import { type PictureNotice, PictureNotices, pasted, rejectedNotice, tooLarge } from './picture-notices.tsx';
import { PictureWords } from './picture-words.tsx';
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
  const { aria, label, value, place } = props;
  const { standIn, composing, onReady, ready } = props;
  const [linking, setLinking] = useState(false);
  const [notices, setNotices] = useState<PictureNotice[]>([]);
  const lastValue = useRef(value);
  const latest = useRef(props);
  latest.current = props;
  const notify = (...added: PictureNotice[]) =>
    setNotices((known) => [...known.filter(({ text }) => added.every((one) => one.text !== text)), ...added]);
  const events: EditorEvents = {
    onLink: () => setLinking(true),
    onTooLarge: (file) => notify(tooLarge(file, latest.current.onLargePicture)),
    onRefused: (file) => notify(rejectedNotice(file)),
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
  useEffect(() => {
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, described, invalid]);

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
      <PictureNotices
        notices={notices}
        onClose={(closed) => setNotices((known) => known.filter((one) => one !== closed))}
      />
    </div>
  );
}

/** '' for an empty text, without the editor's empty last paragraph. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML().replace(/(?:<p><\/p>)+$/, ''));
