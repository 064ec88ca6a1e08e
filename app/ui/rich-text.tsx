import { createElement } from 'react';
import { cleanRichText } from '../../rich-text.ts';
import { type Draw, drawElement, richTextElements } from './rich-text-elements.ts';
import './styles/prose.css';

export type HtmlAdapter = { html: (clean: string) => string; draw: (html: string) => Draw };

const unchanged: HtmlAdapter = { html: (clean) => clean, draw: () => drawElement };

/**
 * The only component that accepts untrusted HTML. The server sanitizes it with the allow list; browsers build elements
 * from it, so that the server's parser is not shipped.
 */
export const RichText = ({ html, fit = unchanged }: { html: string; fit?: HtmlAdapter }) =>
  import.meta.env.SSR ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the allow list in the same expression
    <div className="prose" dangerouslySetInnerHTML={{ __html: fit.html(cleanRichText(html)) }} />
  ) : (
    createElement('div', { className: 'prose' }, ...richTextElements(html, fit.draw(html)))
  );
