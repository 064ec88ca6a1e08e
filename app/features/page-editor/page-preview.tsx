import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import type { Values } from '#lib/fields/field.ts';
import { storedOf } from './model/content.ts';
import type { EditedPage } from './model/pages.ts';

export type PreviewMessage = { preview: { title: string | null; content: Values } };

/** The page itself in a frame, where the styles of the admin area do not apply. */
export function PagePreview({ page: { id, kind }, values }: { page: EditedPage; values: Values }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const address = href('/admin/pages/:id/preview', { id });
  useEffect(() => {
    const send = () => {
      const message: PreviewMessage = { preview: storedOf(kind, values) };
      frame.current?.contentWindow?.postMessage(message, location.origin);
    };
    const onMessage = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow && data === 'ready' && send();
    addEventListener('message', onMessage);
    send();
    return () => removeEventListener('message', onMessage);
  }, [kind, values]);
  return (
    <section className="page-preview-frame" aria-label="Preview">
      <iframe ref={frame} className="full framed" title="Preview of the page" src={address} />
    </section>
  );
}
