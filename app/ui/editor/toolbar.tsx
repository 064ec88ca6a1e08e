import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
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

type Toggle = 'Bold' | 'Italic' | 'Underline' | 'Strike' | 'OrderedList' | 'BulletList' | 'Blockquote' | 'CodeBlock';

const toggle = (label: string, what: Toggle, shows: IconName, keys: string): Tool => ({
  label,
  shows,
  isOn: (editor) => editor.isActive(what[0]!.toLowerCase() + what.slice(1)),
  press: (editor) => editor.chain().focus()[`toggle${what}`]().run(),
  keys: `Control+${keys}`,
});

const tools = (onLink: () => void): Tool[] => [
  ...([1, 2, 3] as const).map(heading),
  toggle('Bold', 'Bold', 'bold', 'B'),
  toggle('Italic', 'Italic', 'italic', 'I'),
  toggle('Underline', 'Underline', 'underline', 'U'),
  toggle('Strike', 'Strike', 'strike', 'Shift+S'),
  toggle('Ordered list', 'OrderedList', 'list-number', 'Shift+7'),
  toggle('Bullet list', 'BulletList', 'list-bullet', 'Shift+8'),
  toggle('Blockquote', 'Blockquote', 'quote', 'Shift+B'),
  toggle('Code block', 'CodeBlock', 'code', 'Alt+C'),
  { label: 'Link', shows: 'link', isOn: (editor) => editor.isActive('link'), press: onLink, keys: 'Control+K' },
  { label: 'Clean', shows: 'eraser', press: (editor) => editor.chain().focus().unsetAllMarks().clearNodes().run() },
];

/** One tab stop; arrows, Home and End move inside (ARIA toolbar pattern). */
export function Toolbar({ editor, controls, onLink }: { editor: Editor; controls: string; onLink: () => void }) {
  const [stop, setStop] = useState(0);
  const all = tools(onLink);
  const isOn = useEditorState({ editor, selector: ({ editor: now }) => all.map((tool) => tool.isOn?.(now) ?? false) });

  function move(event: KeyboardEvent<HTMLElement>) {
    const target = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = (target + all.length) % all.length;
    setStop(next);
    (event.currentTarget.children[next] as HTMLElement).focus();
  }

  return (
    <div
      className="editor-toolbar paper hairline-below"
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      onKeyDown={move}
    >
      {all.map((tool, at) => (
        <button
          key={tool.label}
          type="button"
          className="editor-tool ring-inside center small mono semibold ink"
          aria-label={tool.label}
          aria-pressed={tool.isOn ? isOn[at] : undefined}
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
