import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { type Pasted, pastedHtml } from './pasted-html.ts';

export interface PastingEvents {
  /** Something was pasted, or dropped, whose pictures need a word. */
  onPictures: (pasted: Pasted) => void;
}

/** Takes what other programs put on the clipboard as a text can hold it. */
export const Pasting = Extension.create<PastingEvents>({
  name: 'pasting',

  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          transformPastedHTML: (html) => {
            const pasted = pastedHtml(html, location.origin);
            if (pasted.unreachable + pasted.elsewhere.length > 0) this.options.onPictures(pasted);
            return pasted.html;
          },
        },
      }),
    ];
  },
});
