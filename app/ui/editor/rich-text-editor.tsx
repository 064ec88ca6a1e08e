import type { ComponentType, ReactNode } from 'react';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Field } from '../form/field.tsx';
import type { EditorPlace } from './editor-place.ts';
import type { LoadedEditorProps } from './loaded-editor.tsx';
import { paragraphsOf } from './plain-text.ts';

interface RichTextEditorProps {
  id?: string;
  name?: string;
  label: string;
  hint?: ReactNode;
  value: string;
  onChange: (html: string) => void;
  required?: boolean;
  error?: ReactNode;
  onLargePicture?: (file: File) => void;
  onNear?: () => void;
  place?: EditorPlace | null;
}

/**
 * Edits rich text as HTML ('' when empty). On approach or focus, the editor takes over from a plain text field.
 * @param onLargePicture called for pictures over 64 KB, which a text cannot contain
 */
export function RichTextEditor(props: RichTextEditorProps) {
  const { name, label, hint, value, onChange, required, error, onLargePicture, onNear, place = null } = props;
  const generated = useId();
  const id = props.id ?? generated;
  const container = useRef<HTMLDivElement>(null);
  const plainField = useRef<HTMLTextAreaElement>(null);
  const text = useRef<HTMLElement>(null);
  const isComposing = useRef(false);
  const notifyNear = useEffectEvent(() => onNear?.());
  const [Editor, setEditor] = useState<ComponentType<LoadedEditorProps> | null>(null);
  const [written, setWritten] = useState(false);
  const [ready, setReady] = useState(false);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const controller = new AbortController();
    let isRequested = false;
    const load = async () => {
      if (isRequested) return;
      isRequested = true;
      notifyNear();
      try {
        const { LoadedEditor } = await import('./loaded-editor.tsx');
        if (!controller.signal.aborted) setEditor(() => LoadedEditor);
      } catch {
        // Without a connection the plain field remains usable.
        isRequested = false;
      }
    };
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '600px',
    });
    observer.observe(element);
    element.addEventListener('focusin', load, { signal: controller.signal });
    return () => {
      controller.abort();
      observer.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const typed = plainField.current?.value;
    setWritten(typed !== '');
    if (typed) onChange(paragraphsOf(typed));
  }, []);

  useEffect(() => {
    if (place) container.current?.scrollIntoView({ block: 'center' });
  }, [place]);

  const showEditor = (element: HTMLElement) => {
    text.current = element;
    setReady(true);
  };
  const shared = { label, value, onChange, ready, onLargePicture, place, composing: isComposing, onReady: showEditor };
  return (
    <div ref={container}>
      <Field
        id={id}
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a label does this by itself for a field, but not for the editor
        label={<span onClick={() => text.current?.focus()}>{label}</span>}
        hint={hint}
        required={required}
        error={error}
      >
        {(aria) => (
          // Keeps both until the editor has the focus, because removing the focused element would drop it.
          <>
            {!ready && (
              <textarea
                {...aria}
                ref={plainField}
                name={name}
                className="field-input editor-stand-in"
                // Formatted text cannot be edited in the plain field and waits for the editor.
                readOnly={Boolean(value) && !written}
                onCompositionStart={() => (isComposing.current = true)}
                onCompositionEnd={() => (isComposing.current = false)}
                onChange={({ target }) => {
                  setWritten(target.value !== '');
                  onChange(paragraphsOf(target.value));
                }}
              />
            )}
            {Editor && <Editor {...shared} aria={aria} standIn={plainField} />}
          </>
        )}
      </Field>
    </div>
  );
}
