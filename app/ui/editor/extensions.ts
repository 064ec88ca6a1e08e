import { type Editor, Extension, type Extensions } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import { linkAddress } from './link-address.ts';
import { type Pasted, pastedHtml } from './pasted-html.ts';
import { type PictureEvents, PictureNode } from './picture.ts';
import { Video } from './video.ts';

export type EditorEvents = PictureEvents & { onLink: () => void; onPictures: (pasted: Pasted) => void };

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

const MAX_LEVEL = 8;
const CLASS = /^(?:ql-)?indent-([1-8])$/;

/** Levels 1 to 8 as class `indent-N`. Mod-] and Mod-[, because Tab has to leave the editor. */
const Indent = Extension.create({
  name: 'indent',

  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'codeBlock', 'listItem'],
      attributes: {
        indent: {
          default: 0,
          parseHTML: ({ classList }) => Number([...classList].map((name) => CLASS.exec(name)?.[1]).find(Boolean) ?? 0),
          renderHTML: ({ indent }) => (indent ? { class: `indent-${indent}` } : {}),
        },
      },
    },
  ],

  addKeyboardShortcuts() {
    return { 'Mod-]': () => indent(this.editor, 1), 'Mod-[': () => indent(this.editor, -1) };
  },
});

function indent({ state, view }: Editor, by: 1 | -1): true {
  const { tr, selection, doc } = state;
  const changes = new Map<number, number>();
  doc.nodesBetween(selection.from, selection.to, (node, position, parent) => {
    if (!node.isTextblock) return true;
    // In a list the whole item moves, with its marker.
    const inItem = parent?.type.name === 'listItem';
    const target = inItem ? parent : node;
    const targetPosition = inItem ? doc.resolve(position).before() : position;
    const level = Math.min(MAX_LEVEL, Math.max(0, (target.attrs['indent'] as number) + by));
    if (level !== target.attrs['indent']) changes.set(targetPosition, level);
    return false;
  });
  for (const [at, level] of changes) tr.setNodeAttribute(at, 'indent', level);
  view.dispatch(tr);
  return true;
}
