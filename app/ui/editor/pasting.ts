import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { type Pasted, pastedHtml } from './pasted-html.ts';

export interface PastingEvents {
  onPictures: (pasted: Pasted) => void;
}

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
