import { Extension } from '@tiptap/core';

const DEEPEST = 8;
const CLASS = /^(?:ql-)?indent-([1-8])$/;

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    indent: {
      indent: (by: 1 | -1) => ReturnType;
    };
  }
}

/** Levels 1 to 8 as class `indent-N`. Mod-] and Mod-[, because Tab has to leave the editor. */
export const Indent = Extension.create({
  name: 'indent',

  addGlobalAttributes() {
    return [
      {
        types: ['paragraph', 'heading', 'codeBlock', 'listItem'],
        attributes: {
          indent: {
            default: 0,
            parseHTML: (element) => {
              const level = [...element.classList].map((name) => CLASS.exec(name)?.[1]).find(Boolean);
              return level ? Number(level) : 0;
            },
            renderHTML: ({ indent }) => (indent ? { class: `indent-${indent}` } : {}),
          },
        },
      },
    ];
  },

  addCommands() {
    return {
      indent:
        (by) =>
        ({ tr, state, dispatch }) => {
          const { from, to } = state.selection;
          const changes = new Map<number, number>();
          state.doc.nodesBetween(from, to, (node, position, parent) => {
            if (!node.isTextblock) return true;
            // In a list the whole item moves, with its marker.
            const inItem = parent?.type.name === 'listItem';
            const target = inItem ? parent : node;
            const at = inItem ? state.doc.resolve(position).before() : position;
            const level = Math.min(DEEPEST, Math.max(0, (target.attrs['indent'] as number) + by));
            if (level !== target.attrs['indent']) changes.set(at, level);
            return false;
          });
          if (dispatch) for (const [at, level] of changes) tr.setNodeAttribute(at, 'indent', level);
          return true;
        },
    };
  },

  addKeyboardShortcuts() {
    return {
      'Mod-]': () => this.editor.commands.indent(1),
      'Mod-[': () => this.editor.commands.indent(-1),
    };
  },
});
