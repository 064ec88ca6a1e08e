import type { Editor } from '@tiptap/core';
import { EditorContent, useEditor } from '@tiptap/react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type EditorPlace, goTo } from './editor-place.ts';
import { type EditorEvents, extensionsWith } from './extensions.ts';
import { LinkForm } from './link-form.tsx';
import { type PictureNews, PictureNotices } from './picture-notices.tsx';
import { PictureWords } from './picture-words.tsx';
import { Toolbar } from './toolbar.tsx';
import './editor.css';

export interface LoadedEditorProps {
  /** Id of the text itself. */
  id: string;
  /** Id of the visible label. */
  labelledBy: string;
  describedBy: string | undefined;
  /** HTML; '' when empty. */
  value: string;
  onChange: (html: string) => void;
  required: boolean;
  invalid: boolean;
  /** The plain field whose text and focus it takes over. */
  standIn: RefObject<HTMLTextAreaElement | null>;
  /** Whether a letter is being composed in that field. */
  composing: RefObject<boolean>;
  /** It has taken over, and the plain field may go. */
  onReady: () => void;
  ready: boolean;
  onLargePicture: ((file: File) => void) | undefined;
  /** Where the cursor is to go; another object each time. */
  place: EditorPlace | null;
}

/** The editor proper. In a file of its own, because it is the heaviest thing of the site and loaded when it comes near. */
export function LoadedEditor(props: LoadedEditorProps) {
  const { id, labelledBy, describedBy, value, onChange, required, invalid, onLargePicture, place } = props;
  const { standIn, composing, onReady, ready } = props;
  const [linking, setLinking] = useState(false);
  const [notices, setNotices] = useState<PictureNews>({});
  const said = useRef(value);
  const change = useRef(onChange);
  change.current = onChange;
  const events: EditorEvents = {
    onLink: () => setLinking(true),
    onTooLarge: (tooLarge) => setNotices((known) => ({ ...known, tooLarge })),
    onRefused: ({ name }) => setNotices((known) => ({ ...known, refused: name })),
    onPictures: (pasted) => setNotices((known) => ({ ...known, pasted })),
  };
  const attributes = {
    id,
    class: 'prose editor-text',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': labelledBy,
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(required ? { 'aria-required': 'true' } : {}),
    ...(invalid ? { 'aria-invalid': 'true' } : {}),
  };
  const editor = useEditor({
    extensions: extensionsWith(events),
    content: value,
    // Inline styles are against the page's policy; editor.css has them.
    injectCSS: false,
    immediatelyRender: true,
    shouldRerenderOnTransaction: false,
    editorProps: { attributes },
    onUpdate: ({ editor: now }) => {
      said.current = htmlOf(now);
      change.current(said.current);
    },
  });

  // In the step in which it is mounted: the plain field is still there, and nothing can be typed or focused in between.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const field = standIn.current;
    const takeOver = () => {
      // A letter that is being composed with an input method would be lost with its field.
      if (composing.current) return;
      if (document.activeElement === field) {
        editor.commands.setTextSelection(editor.state.doc.content.size);
        editor.view.focus();
      }
      onReady();
    };
    takeOver();
    const takeOverLater = () => setTimeout(takeOver);
    field?.addEventListener('compositionend', takeOverLater);
    return () => field?.removeEventListener('compositionend', takeOverLater);
  }, []);

  useLayoutEffect(() => {
    if (ready && editor.isFocused) editor.commands.scrollIntoView();
  }, [editor, ready]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes are made of these
  useEffect(() => {
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, describedBy, required, invalid]);

  const pictureWords = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!place) return;
    goTo(editor, place);
    // What is to be said about a picture has a field, which is there one drawing later.
    if (place.kind !== 'picture') return;
    const frame = requestAnimationFrame(() => pictureWords.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [editor, place]);

  // A draft was brought back, or the form was emptied.
  useEffect(() => {
    if (value === said.current) return;
    said.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);

  return (
    <div className="editor" data-invalid={invalid || undefined}>
      <Toolbar editor={editor} controls={id} onLink={() => setLinking(true)} />
      {linking && <LinkForm editor={editor} onClose={() => setLinking(false)} />}
      <PictureWords editor={editor} input={pictureWords} />
      <EditorContent editor={editor} />
      <PictureNotices editor={editor} notices={notices} onNotices={setNotices} onLargePicture={onLargePicture} />
    </div>
  );
}

/** HTML as it is stored: '' for an empty text, without the empty paragraph that the editor keeps at the end for the cursor. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML().replace(/(?:<p><\/p>)+$/, ''));
