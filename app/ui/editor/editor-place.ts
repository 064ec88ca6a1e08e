import type { Editor } from '@tiptap/core';

export type EditorPlace = { kind: 'heading' | 'link' | 'picture' | 'text'; at: number };

type Span = { from: number; to: number };

export function selectPlace(editor: Editor, { kind, at }: EditorPlace): void {
  const chain = editor.chain();
  if (kind === 'text') return void chain.focus().run();
  const spans = kind === 'link' ? linksIn(editor) : nodesIn(editor, kind === 'heading' ? 'heading' : 'image');
  const span = spans[at] ?? spans.at(-1);
  if (!span) chain.focus().run();
  else if (kind === 'picture') chain.setNodeSelection(span.from).scrollIntoView().run();
  else chain.focus().setTextSelection(span).scrollIntoView().run();
}

function nodesIn(editor: Editor, name: string): Span[] {
  const spans: Span[] = [];
  editor.state.doc.descendants((node, position) => {
    if (node.type.name !== name) return;
    const inset = node.isTextblock ? 1 : 0;
    spans.push({ from: position + inset, to: position + node.nodeSize - inset });
  });
  return spans;
}

function linksIn(editor: Editor): Span[] {
  const links: (Span & { href: unknown })[] = [];
  editor.state.doc.descendants((node, position) => {
    const link = node.marks.find(({ type }) => type.name === 'link');
    if (!link) return;
    const last = links.at(-1);
    const to = position + node.nodeSize;
    if (last?.to === position && last.href === link.attrs['href']) last.to = to;
    else links.push({ from: position, to, href: link.attrs['href'] });
  });
  return links.map(({ from, to }) => ({ from, to }));
}
