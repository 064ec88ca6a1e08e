import { Extension, type Extensions } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import { Indent } from './indent.ts';
import { linkAddress } from './link-address.ts';
import { type Pasted, pastedHtml } from './pasted-html.ts';
import { type PictureEvents, PictureNode } from './picture.ts';
import { Video } from './video.ts';

export interface EditorEvents extends PictureEvents {
  onLink: () => void;
  onPictures: (pasted: Pasted) => void;
}

/** Exactly what `cleanRichText` allows. */
export const extensionsWith = ({ onLink, onTooLarge, onRefused, onPictures }: EditorEvents): Extensions => [
  EditorKit.configure({
    heading: { levels: [1, 2, 3] },
    horizontalRule: false,
    // Only after nodes without a cursor position; other nodes are left with Enter or the arrow keys.
    trailingNode: { notAfter: ['paragraph', 'heading', 'bulletList', 'orderedList', 'blockquote', 'codeBlock'] },
    dropcursor: { class: 'editor-dropcursor', color: false },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => linkAddress(address) !== null,
      HTMLAttributes: { rel: 'noopener nofollow ugc', target: null },
    },
  }),
  PictureNode.configure({ inline: true, onTooLarge, onRefused }),
  Video,
  Indent,
  Extension.create({
    name: 'pastingAndLinks',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          transformPastedHTML(html) {
            const pasted = pastedHtml(html, location.origin);
            if (pasted.unreachable + pasted.elsewhere.length > 0) onPictures(pasted);
            return pasted.html;
          },
        },
      }),
    ],
    addKeyboardShortcuts: () => ({
      'Mod-k': () => {
        onLink();
        return true;
      },
    }),
  }),
];

/** List shortcuts use Tab and Shift-Tab; here both must leave the editor, or keyboard users would be trapped. */
const EditorKit = StarterKit.extend({
  addExtensions() {
    return (this.parent?.() ?? []).map((extension) =>
      extension.name === 'listItem'
        ? extension.extend({
            addKeyboardShortcuts() {
              return { Enter: () => this.editor.commands.splitListItem(this.name) };
            },
          })
        : extension,
    );
  },
});
