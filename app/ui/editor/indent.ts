import { type Editor, Extension } from '@tiptap/core';

const MAX_LEVEL = 8;
const CLASS = /^(?:ql-)?indent-([1-8])$/;

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

  addKeyboardShortcuts() {
    return {
      'Mod-]': () => indent(this.editor, 1),
      'Mod-[': () => indent(this.editor, -1),
    };
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
