import { mergeAttributes, Node } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { playerAddress } from '../../../media-address.ts';

export const Video = Node.create({
  name: 'video',
  group: 'block',
  atom: true,
  draggable: true,

  addAttributes: () => ({ src: { default: '' }, title: { default: 'Video' } }),

  parseHTML: () => [
    {
      tag: 'iframe',
      getAttrs: (element) => {
        const src = playerAddress(element.getAttribute('src') ?? '');
        return src ? { src, title: element.getAttribute('title') || 'Video' } : false;
      },
    },
  ],

  renderHTML({ HTMLAttributes }) {
    return ['iframe', mergeAttributes(HTMLAttributes, { loading: 'lazy', allowfullscreen: '' })];
  },

  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('div');
      dom.className = 'editor-video pad-4 center on-machine code anywhere';
      dom.textContent = String(node.attrs['src']);
      return { dom };
    };
  },

  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          handlePaste: (view, { clipboardData }) => {
            const src = playerAddress(clipboardData?.getData('text/plain') ?? '');
            // With selected text, a pasted address becomes a link.
            if (!src || !view.state.selection.empty) return false;
            return this.editor.commands.insertContent({ type: this.name, attrs: { src } });
          },
        },
      }),
    ];
  },
});
