import { createElement } from 'react';
import { cleanRichText } from '../../rich-text.ts';
import { type Draw, drawElement, richTextElements } from './rich-text-elements.ts';

/** Fits a text into its page. */
export interface Fit {
  /** On the server, where it is clean HTML. */
  html: (clean: string) => string;
  /** In a browser, where it is made of elements. */
  draw: (html: string) => Draw;
}

const asItIs: Fit = { html: (clean) => clean, draw: () => drawElement };

/**
 * The one component that accepts untrusted HTML. The server cleans it with the allow list; browsers make elements of what
 * the list allows, so that the server's parser is not sent to them.
 */
export const RichText = ({ html, fit = asItIs }: { html: string; fit?: Fit }) =>
  import.meta.env.SSR ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by the allow list in the same expression
    <div className="prose" dangerouslySetInnerHTML={{ __html: fit.html(cleanRichText(html)) }} />
  ) : (
    createElement('div', { className: 'prose' }, ...richTextElements(html, fit.draw(html)))
  );
