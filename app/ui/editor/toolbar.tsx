import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useFocusTargets } from '../form/use-focus-targets.ts';
import { Icon, type IconName } from '../icon.tsx';

interface Tool {
  label: string;
  shows: IconName | 'H1' | 'H2' | 'H3';
  isOn?: (editor: Editor) => boolean;
  press: (editor: Editor) => void;
  keys?: string;
}

const heading = (level: 1 | 2 | 3): Tool => ({
  label: `Heading ${level}`,
  shows: `H${level}`,
  isOn: (editor) => editor.isActive('heading', { level }),
  press: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  keys: `Control+Alt+${level}`,
});

const tools = (onLink: () => void): Tool[] => [
  heading(1),
  heading(2),
  heading(3),
  {
    label: 'Bold',
    shows: 'bold',
    isOn: (editor) => editor.isActive('bold'),
    press: (editor) => editor.chain().focus().toggleBold().run(),
    keys: 'Control+B',
  },
  {
    label: 'Italic',
    shows: 'italic',
    isOn: (editor) => editor.isActive('italic'),
    press: (editor) => editor.chain().focus().toggleItalic().run(),
    keys: 'Control+I',
  },
  {
    label: 'Underline',
    shows: 'underline',
    isOn: (editor) => editor.isActive('underline'),
    press: (editor) => editor.chain().focus().toggleUnderline().run(),
    keys: 'Control+U',
  },
  {
    label: 'Strike',
    shows: 'strike',
    isOn: (editor) => editor.isActive('strike'),
    press: (editor) => editor.chain().focus().toggleStrike().run(),
    keys: 'Control+Shift+S',
  },
  {
    label: 'Ordered list',
    shows: 'list-number',
    isOn: (editor) => editor.isActive('orderedList'),
    press: (editor) => editor.chain().focus().toggleOrderedList().run(),
    keys: 'Control+Shift+7',
  },
  {
    label: 'Bullet list',
    shows: 'list-bullet',
    isOn: (editor) => editor.isActive('bulletList'),
    press: (editor) => editor.chain().focus().toggleBulletList().run(),
    keys: 'Control+Shift+8',
  },
  {
    label: 'Blockquote',
    shows: 'quote',
    isOn: (editor) => editor.isActive('blockquote'),
    press: (editor) => editor.chain().focus().toggleBlockquote().run(),
    keys: 'Control+Shift+B',
  },
  {
    label: 'Code block',
    shows: 'code',
    isOn: (editor) => editor.isActive('codeBlock'),
    press: (editor) => editor.chain().focus().toggleCodeBlock().run(),
    keys: 'Control+Alt+C',
  },
  {
    label: 'Link',
    shows: 'link',
    isOn: (editor) => editor.isActive('link'),
    press: onLink,
    keys: 'Control+K',
  },
  {
    label: 'Clean',
    shows: 'eraser',
    press: (editor) => editor.chain().focus().unsetAllMarks().clearNodes().run(),
  },
];

/** One tab stop; arrows, Home and End move inside (ARIA toolbar pattern). */
export function Toolbar({ editor, controls, onLink }: { editor: Editor; controls: string; onLink: () => void }) {
  const targets = useFocusTargets();
  const [stop, setStop] = useState(0);
  const all = tools(onLink);
  const on = useEditorState({ editor, selector: ({ editor: now }) => all.map((tool) => tool.isOn?.(now) ?? false) });

  function move(event: KeyboardEvent) {
    const last = all.length - 1;
    const next = {
      ArrowRight: stop === last ? 0 : stop + 1,
      ArrowLeft: stop === 0 ? last : stop - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setStop(next);
    targets.focus(all[next]!.label);
  }

  return (
    <div
      className="editor-toolbar hairline-below"
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      onKeyDown={move}
    >
      {all.map((tool, at) => (
        <button
          key={tool.label}
          ref={targets.ref(tool.label)}
          type="button"
          className="editor-tool ring-inside center small mono semibold"
          aria-label={tool.label}
          aria-pressed={tool.isOn ? on[at] : undefined}
          aria-keyshortcuts={tool.keys}
          title={tool.keys ? `${tool.label} (${tool.keys.replace('Control', 'Ctrl')})` : tool.label}
          tabIndex={at === stop ? 0 : -1}
          onFocus={() => setStop(at)}
          // The text selection must survive clicks on a tool.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => tool.press(editor)}
        >
          {drawing(tool.shows)}
        </button>
      ))}
    </div>
  );
}

const drawing = (shows: Tool['shows']): ReactNode =>
  shows === 'H1' || shows === 'H2' || shows === 'H3' ? <span aria-hidden="true">{shows}</span> : <Icon name={shows} />;
