import { type ComponentType, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { EditorPlace } from './editor-place.ts';
import type { LoadedEditorProps } from './loaded-editor.tsx';
import { paragraphsOf } from './plain-text.ts';

/** How far away the editor starts loading. */
const NEAR = '600px';

/**
 * A rich text that is edited as HTML ('' when empty). Until the editor is loaded, which begins when it comes near or
 * gets focus, a plain text field takes its place; what is typed there becomes paragraphs, and the editor takes over its
 * text and its focus before it goes.
 * @param onLargePicture offers pictures over 64 KB, which cannot stand inside a text, a place elsewhere
 */
export function RichTextEditor({
  id: givenId,
  name,
  label,
  hint,
  value,
  onChange,
  required = false,
  error,
  onLargePicture,
  onNear,
  place = null,
}: {
  id?: string;
  /** Of the plain field: for a form that reads what was typed before the page came to life. */
  name?: string;
  label: string;
  hint?: ReactNode;
  value: string;
  onChange: (html: string) => void;
  required?: boolean;
  error?: ReactNode;
  onLargePicture?: (file: File) => void;
  /** It comes near, or has the focus. */
  onNear?: () => void;
  /** Where in the text the cursor is to go, once for each new object. */
  place?: EditorPlace | null;
}) {
  const generated = useId();
  const id = givenId ?? generated;
  const holder = useRef<HTMLDivElement>(null);
  const standIn = useRef<HTMLTextAreaElement>(null);
  const composing = useRef(false);
  const near = useRef(onNear);
  near.current = onNear;
  const [Editor, setEditor] = useState<ComponentType<LoadedEditorProps> | null>(null);
  const [written, setWritten] = useState(false);
  /** The editor is there and has taken over. */
  const [ready, setReady] = useState(false);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const end = new AbortController();
    let asked = false;
    const load = async () => {
      if (asked) return;
      asked = true;
      near.current?.();
      try {
        const { LoadedEditor } = await import('./loaded-editor.tsx');
        if (!end.signal.aborted) setEditor(() => LoadedEditor);
      } catch {
        // Without a connection the plain field stays, and works.
        asked = false;
      }
    };
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: NEAR,
    });
    observer.observe(element);
    element.addEventListener('focusin', load, { signal: end.signal });
    return () => {
      end.abort();
      observer.disconnect();
    };
  }, []);

  // What was typed before the page came to life.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const text = standIn.current?.value;
    setWritten(text !== '');
    if (text) onChange(paragraphsOf(text));
  }, []);

  // Coming near is what loads it; then the editor goes on from here.
  useEffect(() => {
    if (place) holder.current?.scrollIntoView({ block: 'center' });
  }, [place]);

  return (
    <div className="field" ref={holder}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a label does this by itself for a field, but not for the editor */}
      <label
        className="field-label"
        id={`${id}-label`}
        htmlFor={id}
        onClick={() => document.getElementById(id)?.focus()}
      >
        {label}
        {required && <span className="field-required" aria-hidden="true" />}
      </label>
      {hint && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {/* Both are there until the editor has the keyboard: an element that goes with the focus drops it. */}
      {!ready && (
        <textarea
          ref={standIn}
          id={id}
          name={name}
          className="field-input editor-stand-in"
          // What was written before has a form that plain text cannot show; it waits for the editor.
          readOnly={Boolean(value) && !written}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          onCompositionStart={() => {
            composing.current = true;
          }}
          onCompositionEnd={() => {
            composing.current = false;
          }}
          onChange={(event) => {
            setWritten(event.target.value !== '');
            onChange(paragraphsOf(event.target.value));
          }}
        />
      )}
      {Editor && (
        <Editor
          id={id}
          labelledBy={`${id}-label`}
          describedBy={describedBy}
          value={value}
          onChange={onChange}
          required={required}
          invalid={Boolean(error)}
          standIn={standIn}
          composing={composing}
          ready={ready}
          onReady={() => setReady(true)}
          onLargePicture={onLargePicture}
          place={place}
        />
      )}
      {error && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}
